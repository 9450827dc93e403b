// The rules of the project in an editor, what an edit changes, and saving.
import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { isConfigFile } from "../config/find-config.js";
import { BUILT_IN, isBuiltInFile } from "../config/load-pack.js";
import type { Difference } from "../extract/compare-facts.js";
import { type Item, KINDS } from "../model.js";
import { markControls } from "../text/forms.js";
import { embedded } from "./browser/built-in.js";
import type { createEditor as CreateEditor, Editor } from "./editor.js";
import { Guards } from "./guards.js";
import type { PageModel } from "./page-model.js";
import type { Playground } from "./playground.js";
import { describe, keysAt, type Names, pathAt, valuesAt } from "./schema.js";
import { Link } from "./text.js";

declare global {
  /** Another program of the page. */
  var createEditor: typeof CreateEditor;
}

export function Rules({ model, playground }: { readonly model: PageModel; readonly playground: Playground }) {
  const { file, texts, saved, isEdited, isBroken, findings, difference, notice, reloads } = playground;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  const own = Object.keys(saved.value).filter(isPack);
  const builtIn = model.packs.value.loaded.packs.packs.map((pack) => pack.file).filter(isBuiltInFile);
  const isReadOnly = !isOwn(file.value);
  const textNow = () => (isBuiltInFile(file.peek()) ? embedded[nameOf(file.peek())] : texts.peek()[file.peek()]) ?? "";
  useEffect(() => {
    editor.current = globalThis.createEditor({
      parent: place.current as HTMLElement,
      text: textNow(),
      readOnly: isReadOnly,
      label: nameOf(file.value),
      nonce: playground.play.nonce,
      onChange: playground.edit,
      onFocus: playground.setTyping,
      ...helpFor(file.value, () => namesOf(model)),
    });
    return () => {
      editor.current?.destroy();
      playground.setTyping(false);
    };
  }, [file.value]);
  // The editor owns its text: drawing the page never writes into it, only a reload does.
  useSignalEffect(() => {
    if (reloads.value > 0) editor.current?.set(textNow());
  });
  const here = useMemo(() => findings.value.filter(({ at }) => at?.file === file.value), [findings.value, file.value]);
  const shown = here.map(({ at, severity, message, hint }) => {
    const { line = 1, column = 1 } = at ?? {};
    return { line, column, severity, message: hint ? `${message} (${hint})` : message };
  });
  useEffect(() => editor.current?.show(shown), [here]);
  return (
    <div class="rules">
      <div class="choice">
        <label for="file">Pack</label>
        <select id="file" value={file.value} onChange={({ currentTarget }) => (file.value = currentTarget.value)}>
          <optgroup label="Yours">{own.map((name) => Option(name, texts.value[name] !== saved.value[name]))}</optgroup>
          <optgroup label="Built in (read only)">{builtIn.map((name) => Option(name, false))}</optgroup>
        </select>
        <button
          type="button"
          class="plain"
          disabled={!isEdited.value || isReadOnly || isBroken.value}
          onClick={() => dialog.current?.showModal()}
        >
          Save…
        </button>
        <button
          type="button"
          class="plain"
          onClick={() => void playground.tryOnSessions()}
          disabled={isBroken.value || playground.trying.value !== ""}
        >
          Try on my last 50 sessions
        </button>
      </div>
      <div class="editor" ref={place} />
      <output class="note">{markControls(notice.value)}</output>
      {shown.length > 0 && (
        <ul class="facts findings">
          {shown.map((finding) => (
            <li key={`${finding.line}:${finding.column} ${finding.message}`}>
              <Link go={() => editor.current?.goTo(finding)}>
                <b class={finding.severity}>
                  {finding.line}:{finding.column} {finding.severity}
                </b>{" "}
                {markControls(finding.message)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isBroken.value && <p class="note">The edits apply, and can be saved, when the errors are fixed.</p>}
      <h2>What the edits change here</h2>
      <Changes difference={difference.value} show={model.show} />
      <Guards model={model} />
      <Tries playground={playground} />
      <dialog ref={dialog} aria-label="Save">
        <p>
          Write <b>{markControls(nameOf(file.value))}</b>? It replaces the file in your project:
        </p>
        <p class="note">{markControls(file.value)}</p>
        <form method="dialog" class="choice">
          <button type="submit" class="plain" onClick={() => void playground.save()}>
            Write it
          </button>
          <button type="submit" class="plain">
            Cancel
          </button>
        </form>
      </dialog>
    </div>
  );
}

const isPack = (file: string) => /\.ya?ml$|\.compactionrc[^/\\]*$/.test(file);
const isOwn = (file: string) => isPack(file) && !isBuiltInFile(file) && !/[\\/]node_modules[\\/]/.test(file);
const nameOf = (file: string) => file.split(/[\\/]/).at(-1) ?? file;

const Option = (file: string, isChanged: boolean) => (
  <option key={file} value={file}>
    {isBuiltInFile(file) ? BUILT_IN + nameOf(file).replace(".yaml", "") : markControls(nameOf(file))}
    {isChanged ? " •" : ""}
  </option>
);

function Changes({ difference: { gained, lost }, show }: { readonly difference: Difference; readonly show?: PageModel["show"] }) {
  const row = (sign: string, item: Item) => (
    <li key={`${sign}${item.kind}${item.evidence.source}${item.evidence.start}`} class={sign === "+" ? "gained" : "lost"}>
      <Link go={show && (() => show(item.evidence))}>
        <b class="sign">{sign}</b> <span class={`tag kind-${item.kind}`}>{item.kind}</span> {markControls(item.text)}{" "}
        <small>{item.evidence.rule}</small>
      </Link>
    </li>
  );
  if (gained.length + lost.length === 0) return <p class="note">No fact more, no fact less.</p>;
  return <ul class="facts changes">{[...gained.map((item) => row("+", item)), ...lost.map((item) => row("−", item))]}</ul>;
}

function Tries({ playground: { tried, trying } }: { readonly playground: Playground }) {
  if (!tried.value) return null;
  const changed = tried.value.filter(({ gained, lost, failed }) => gained.length + lost.length > 0 || failed);
  return (
    <div class="tries">
      <h2>
        {trying.value ? `Trying: ${trying.value}` : `Tried on ${tried.value.length} sessions`}, {changed.length} with a result
      </h2>
      {changed.map(({ path, failed, ...difference }) => (
        <details key={path} open={changed.length < 6}>
          <summary>
            {markControls(nameOf(path))} +{difference.gained.length} −{difference.lost.length}
          </summary>
          {failed ? <p class="note">{markControls(failed)}</p> : <Changes difference={difference} />}
        </details>
      ))}
    </div>
  );
}

function namesOf({ packs }: PageModel): Names {
  const { rules, cues, signals, templates, sections } = packs.value.loaded.rules;
  return {
    rules: rules.map(({ id }) => id),
    cues: cues.map(({ id }) => id.replace(/^cues:/, "")),
    signals: [...signals.keys()],
    templates: [...templates.keys()],
    sections: sections.map(({ id }) => id),
    emits: KINDS,
  };
}

function helpFor(file: string, names: () => Names) {
  const what = isConfigFile(file) ? "config" : "pack";
  return {
    complete(lines: readonly string[], line: number, column: number) {
      const before = (lines[line] ?? "").slice(0, column);
      const word = /[\w:$-]*$/.exec(before)?.[0] ?? "";
      const from = column - word.length;
      const isKey = /^[\s-]*$/.test(before.slice(0, from));
      const margin = /^[ -]*/.exec(before)?.[0].length ?? 0;
      // For a key, what is above it decides; for a value, its own line too.
      const above = isKey ? [...lines.slice(0, line), `${" ".repeat(margin)}x: `] : lines.slice(0, line + 1);
      const path = pathAt(above, line);
      const keys = isKey ? keysAt(what, path.slice(0, -1), names()).map((one) => ({ ...one, apply: `${one.label}: ` })) : [];
      const values = valuesAt(what, isKey ? path.slice(0, -1) : path, names());
      return { from, options: [...keys, ...values].map(({ detail, ...one }) => ({ ...one, ...(detail && { info: detail }) })) };
    },
    explain: (lines: readonly string[], line: number, word: string) => {
      const path = pathAt(lines, line);
      return path.at(-1)?.includes(word) ? describe(what, path) : undefined;
    },
  };
}
