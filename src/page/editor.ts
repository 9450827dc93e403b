// The editor of the playground. It is a program of its own, because a page without a server does not need it.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { commonEnds } from "../text/lists.js";

type Suggestions = { readonly from: number; readonly options: readonly Completion[] };

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly readOnly: boolean;
  readonly label: string;
  readonly nonce: string;
  readonly onChange: (text: string) => void;
  readonly onFocus: (hasFocus: boolean) => void;
  /** What can be written in a line at a column, counted from 0. */
  readonly complete: (lines: readonly string[], line: number, column: number) => Suggestions;
  readonly explain: (lines: readonly string[], line: number, word: string) => string | undefined;
}

/** A place in the text, counted from 1, and what is wrong there. */
export interface EditorFinding {
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly message: string;
}

export interface Editor {
  readonly show: (findings: readonly EditorFinding[]) => void;
  /** Replaces the text by what came from elsewhere. */
  readonly set: (text: string) => void;
  readonly goTo: (finding: EditorFinding) => void;
  readonly destroy: () => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--indigo-11)" },
  { tag: tags.string, color: "var(--green-11)" },
  { tag: tags.comment, color: "var(--slate-11)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.keyword], color: "var(--orange-11)" },
]);
const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.87rem", backgroundColor: "var(--back)", color: "var(--ink)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--indigo-5)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "30rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "white" },
});

export function createEditor(options: EditorOptions): Editor {
  const { parent, text, readOnly, label, nonce, onChange, onFocus, complete, explain } = options;
  const linesOf = ({ doc }: EditorState) => doc.toString().split("\n");
  const source = ({ state, pos, explicit }: CompletionContext) => {
    const line = state.doc.lineAt(pos);
    const { from, options: choices } = complete(linesOf(state), line.number - 1, pos - line.from);
    if (choices.length === 0 || (!explicit && from === pos - line.from)) return null;
    return { from: line.from + from, options: [...choices], validFor: /^[\w:$-]*$/ };
  };
  const hover = hoverTooltip(({ state }, pos) => {
    const line = state.doc.lineAt(pos);
    const word = state.wordAt(pos);
    const explanation = word && explain(linesOf(state), line.number - 1, state.sliceDoc(word.from, word.to));
    if (!explanation) return null;
    return {
      pos: word.from,
      end: word.to,
      create: () => ({ dom: Object.assign(document.createElement("div"), { textContent: explanation, className: "hover" }) }),
    };
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        closeBrackets(),
        yaml(),
        syntaxHighlighting(colours),
        lintGutter(),
        autocompletion({ override: [source] }),
        hover,
        look,
        EditorView.lineWrapping,
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorState.readOnly.of(readOnly),
        keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.domEventHandlers({ focus: () => onFocus(true), blur: () => onFocus(false) }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && !transactions.some((one) => one.annotation(Transaction.remote))) onChange(state.doc.toString());
        }),
      ],
    }),
  });
  const offsetOf = ({ line, column }: EditorFinding) => {
    const at = view.state.doc.line(Math.min(line, view.state.doc.lines));
    return Math.min(at.from + column - 1, at.to);
  };
  return {
    show(findings) {
      const marks = findings.map((finding): Diagnostic => {
        const from = offsetOf(finding);
        const [word = ""] = /^\S[^\s:,\]}]*/.exec(view.state.sliceDoc(from, from + 80)) ?? [];
        return { from, to: from + word.length, severity: finding.severity, message: finding.message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    set(next) {
      const now = view.state.doc.toString();
      if (next === now) return;
      // Only what differs is replaced, so the cursor and the view stay where they are.
      const { start, end } = commonEnds(now, next);
      const changes = { from: start, to: now.length - end, insert: next.slice(start, next.length - end) };
      view.dispatch({ changes, annotations: Transaction.remote.of(true) });
    },
    goTo(finding) {
      view.dispatch({ selection: { anchor: offsetOf(finding) }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

Object.assign(globalThis, { createEditor });
