// What a tool call does to files by its own input: by the keys that a pack names, or by a patch.
import type { ToolCall } from "../../model.js";
import type { Tool } from "../../rules/tool-set.js";
import { firstText, listAt } from "./input-fields.js";
import { type FileEffect, readPatch, readPatchReport } from "./patch.js";

export function effectsOf(
  { input, output }: ToolCall,
  { patch, list, file, effect }: Pick<Tool, "patch" | "list" | "file" | "effect">,
): readonly FileEffect[] {
  const isPatch = patch.length > 0;
  const given = typeof input === "string" ? input : firstText(input, patch);
  // A host may have removed the patch and kept the report.
  const patched = isPatch ? [...readPatch(given ?? ""), ...readPatchReport(output)] : [];
  if (!effect) return patched;
  const entries = list.flatMap((key) => listAt(input, key));
  // Bare text for a patch tool is the patch, not a path.
  const inputs = typeof input === "string" && isPatch ? entries : [input, ...entries];
  const paths = inputs.flatMap((one) => (typeof one === "string" ? [one] : (firstText(one, file) ?? [])));
  return [...patched, ...paths.map((path) => ({ path, effect }))];
}
