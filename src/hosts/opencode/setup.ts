import { type HostSetup, PACKAGE } from "../setup.js";

/** Paths inside the package that a plugin entry may name. */
const OWN_FILES = ["dist/server.js", "dist"] as const;

/** Is it our plugin? The entry may have a version, be a path or URL of a file, or be a list with options. */
function isPlugin(entry: unknown): boolean {
  const [value] = Array.isArray(entry) ? entry : [entry];
  if (typeof value !== "string") return false;
  const path = value.replaceAll("\\", "/");
  return [path, ...OWN_FILES.flatMap((file) => (path.endsWith(`/${file}`) ? [path.slice(0, -file.length - 1)] : []))].some(
    (one) => one === PACKAGE || one.startsWith(`${PACKAGE}@`) || one.endsWith(`/${PACKAGE}`),
  );
}

export const openCodeSetup: HostSetup = {
  name: "opencode",
  files: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
  // OpenCode adds a $schema to a file without one.
  fresh: `{\n  "$schema": "https://opencode.ai/config.json"\n}\n`,
  entries: () => [{ path: ["plugin"], text: `"${PACKAGE}"`, isOurs: isPlugin, isWritten: (value) => value === PACKAGE }],
  does: `names ${PACKAGE}`,
  otherForm: "with a version, a path or options",
  byHand: `add "${PACKAGE}" to "plugin" by hand`,
  loads: [".opencode/plugins", ".opencode/plugin"],
};
