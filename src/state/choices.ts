// The user's pins and drops in a project.
import { basename } from "node:path";
import type { ByHand } from "../extract/settle/by-hand.js";
import { projectHome } from "../files/folders.js";
import type { GuardedCallFile, GuardFile } from "../generated/pack-file.js";
import { factKey } from "../judge/judged.js";
import { PIN_CODE_POINTS } from "../limits.js";
import type { Item } from "../model.js";
import { digestOf } from "../text/forms.js";
import { isFields } from "../text/json.js";
import { changeState, mayBeStored, readState } from "./state.js";

export interface Choices {
  readonly version: 1;
  readonly folder: string;
  readonly pins: readonly string[];
  readonly drops: readonly string[];
  /** The texts of dropped facts by id, where known. */
  readonly words: Readonly<Record<string, string>>;
  readonly guards?: Readonly<Record<string, PinGuard>>;
}

/** When a pin speaks at a tool call. */
export type PinGuard = { readonly on: GuardedCallFile; readonly does: NonNullable<GuardFile["then"]> };

const ID_CHARACTERS = 8;

/** The id of a fact: a hash of its kind and words, so it is the same in every session. */
export const factId = (fact: Pick<Item, "kind" | "text">): string => digestOf(factKey(fact), ID_CHARACTERS);

/** Is it a fact as this program stores it? */
export function isItem(value: unknown): value is Item {
  const { kind, text, evidence, also } = (value ?? {}) as Partial<Item>;
  return [kind, text, evidence?.source, evidence?.quote].every((one) => typeof one === "string") && Array.isArray(also);
}

/** The name of a stored file of a project: its folder's name and a hash of the path. */
export function projectFileName(what: string, folder: string): string {
  const home = projectHome(folder);
  return `${beginningOf(what, home)}${digestOf(home, ID_CHARACTERS)}`;
}

/** How the names of a project's files begin. */
export function beginningOf(what: string, home: string): string {
  const name = basename(home).slice(0, 180);
  return `${what}-${name.replace(/[^\w-]+/g, "-") || "root"}-`;
}

const CHOICES = "project";
export const choicesName = (folder: string) => projectFileName(CHOICES, folder);

export function readChoices(folder: string, state?: string): { readonly choices: Choices; readonly broken?: string } {
  // Most projects have no choices, and node:crypto is slow to load.
  const { value, broken } = mayBeStored(beginningOf(CHOICES, projectHome(folder)), state)
    ? readState(choicesName(folder), state, isChoices)
    : {};
  return { choices: toChoices(folder, value), ...(broken !== undefined && { broken }) };
}

const isTexts = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === "string");

/** Earlier versions stored no words. */
function isChoices(value: unknown): boolean {
  const { pins, drops, words = {}, guards = {} } = value as Partial<Choices>;
  const isGuard = (one: unknown) => isFields(one) && isFields(one.on) && typeof one.does === "string";
  return (
    isTexts(pins) &&
    isTexts(drops) &&
    isTexts(Object.values(words ?? { none: null })) &&
    Object.values(guards ?? {}).every(isGuard)
  );
}

function toChoices(folder: string, value: unknown): Choices {
  const { pins = [], drops = [], words = {}, guards = {} } = (value ?? {}) as Partial<Choices>;
  const kept = Object.entries(words).filter(([id]) => drops.includes(id));
  const ids = pins.map(pinId);
  const guarded = Object.entries(guards).filter(([id]) => ids.includes(id));
  return {
    version: 1,
    folder: projectHome(folder),
    pins,
    drops,
    words: Object.fromEntries(kept),
    ...(guarded.length > 0 && { guards: Object.fromEntries(guarded) }),
  };
}

export function chosenIn({ pins, drops }: Choices): ByHand {
  const gone = new Set(drops);
  return { pins, ...(gone.size > 0 && { isDropped: (item) => gone.has(factId(item)) }) };
}

export const pinId = (text: string) => factId({ kind: "note", text });

export const fitsPin = (text: string) => [...text].length <= PIN_CODE_POINTS;

/** @param guard when it speaks at a tool call; a pin that is given again without one keeps its guard */
export function pin(folder: string, text: string, state?: string, guard?: PinGuard): Choices {
  if (!fitsPin(text)) throw new RangeError(`a pin has at most ${PIN_CODE_POINTS} characters`);
  // The same words in another spelling have the same id. Only the newest pin is kept, so that it can be dropped.
  const id = pinId(text);
  const others = (pins: readonly string[]) => pins.filter((one) => pinId(one) !== id);
  const change = (choices: Choices): Choices => ({
    ...choices,
    pins: [...others(choices.pins), text.trim()],
    ...(guard && { guards: { ...choices.guards, [id]: guard } }),
  });
  return changeChoices(folder, change, state);
}

/** Dropping a pin removes the pin; dropping a fact keeps it out of later results. */
export function drop(folder: string, id: string, state?: string, text?: string): Choices {
  const change = (choices: Choices) => {
    const pins = choices.pins.filter((one) => pinId(one) !== id);
    if (pins.length < choices.pins.length) return { ...choices, pins };
    const words = text === undefined ? choices.words : { ...choices.words, [id]: text };
    return { ...choices, drops: [...new Set([...choices.drops, id])], words };
  };
  return changeChoices(folder, change, state);
}

export const undrop = (folder: string, id: string, state?: string): Choices =>
  changeChoices(
    folder,
    ({ words: { [id]: _, ...words }, ...choices }) => ({ ...choices, drops: choices.drops.filter((one) => one !== id), words }),
    state,
  );

/** Pins and drops cannot be read. The file is not changed, so that the user can fix it. */
export class BrokenChoicesError extends Error {
  override readonly name = "BrokenChoicesError";
}

function changeChoices(folder: string, change: (choices: Choices) => Choices, state?: string): Choices {
  const next = (value: unknown, broken?: string) => {
    if (broken !== undefined) throw new BrokenChoicesError(broken);
    return change(toChoices(folder, value));
  };
  return changeState(choicesName(folder), next, state, isChoices) as Choices;
}
