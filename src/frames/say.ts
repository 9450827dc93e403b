// Fills the templates of a pack with frames.

import type { RuleSet } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { type FrameView, viewOf } from "./context.js";
import { ancestorsOf, type Tree } from "./frame.js";

const TEXTS = [
  ...["completion", "continuation", "context", "prior", "repair", "start", "result", "popped", "refused", "tree"].map(
    (name) => `frame-${name}`,
  ),
  ...["push", "pop", "status"].map((name) => `tool-frame_${name}`),
];

/** A configuration that extends no built-in pack lacks these templates, unless it has its own. */
export const hasFrameTexts = ({ templates }: RuleSet): boolean => TEXTS.every((name) => templates.has(name));

/** Fills a template. Fields are inserted unchanged: a goal may contain anything. */
export function fillFrame(rules: RuleSet, template: string, view: object): string {
  const text = rules.templates.get(template)?.text ?? "";
  return fillTemplate(text, view);
}

export interface TreeRow extends FrameView {
  readonly indent: string;
  /** The lines of its summary. */
  readonly said: readonly { readonly text: string }[];
}

/** The tree as rows from the root down, each frame before its children. */
export function rowsOf(tree: Tree, quote?: (text: string) => string): readonly TreeRow[] {
  const below = (parent: string | undefined): readonly TreeRow[] =>
    tree.frames
      .filter(({ parentSessionID }) => parentSessionID === parent)
      .flatMap((frame) => {
        const view = viewOf(frame, quote);
        const said = view.summary === "" ? [] : view.summary.split("\n").map((text) => ({ text }));
        const indent = "  ".repeat(ancestorsOf(tree, frame).length);
        return [{ ...view, indent, said }, ...below(frame.sessionID)];
      });
  return below(undefined);
}
