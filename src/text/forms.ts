// Converts text: to one line, to a literal regular expression, to a word for a shell, to a digest, from JSON data, to text without
// control characters, and to what a person can read of what a program printed.
import { createHash } from "node:crypto";
import { INPUT_DEPTH } from "../limits.js";

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Escapes a text so that a regular expression matches it literally, with or without the u flag. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** One word for a shell: in single quotes if a character of it could mean something there. */
export const shellWord = (text: string): string => (/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export const digestOf = (text: string, characters: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, characters);

/** Data as JSON; empty for data that is nested too deeply or circular, because a tool's input can be anything. */
export function jsonText(value: unknown): string {
  if (value === undefined || value === null || isDeep(value)) return "";
  return JSON.stringify(value) ?? "";
}

/** Is the data nested deeper than `most`? Circular data is too. */
export function isDeep(value: unknown, most = INPUT_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((one) => isDeep(one, most - 1));
}

// Characters that the user does not see. A terminal executes control characters and reorders text after a change of direction.
// Zero-width characters are invisible there, but a model can still read words hidden in them.

const ACTED_ON = /(?![\n\t]|\r\n)\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

// Legitimate uses of hidden characters: joiners between letters of some scripts, combined emoji, variation selectors, regional
// flags.
const WRITTEN = [
  "(?<=[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}\\p{sc=Sinh}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}])[\\u200C\\u200D]",
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=[\\p{Extended_Pictographic}])",
  "(?<=[\\p{Emoji}\\p{sc=Han}\\p{sc=Mong}\\p{sc=Mymr}\\p{Sm}\\p{So}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]",
  "\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2,6}\\u{E007F}",
];
const HIDDEN =
  "[\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200D\\u2060-\\u2065\\u206A-\\u206F\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\u{E0000}-\\u{E0FFF}]";
const ANY_HIDDEN = new RegExp(HIDDEN, "u");
const UNSEEN = new RegExp(`(${WRITTEN.join("|")})|${HIDDEN}`, "gu");

/** Replaces each control character with a visible mark and removes hidden characters. */
export function markControls(text: string): string {
  const seen = ANY_HIDDEN.test(text) ? text.replace(UNSEEN, (_, written?: string) => written ?? "") : text;
  return seen.replace(ACTED_ON, "\uFFFD");
}

/** A line without its label: "no access" for "Blockers: no access". */
export const unlabelled = (line: string) => line.replace(/^[^:]{1,30}: (?=\S)/, "");

/** A quotation without the word or two before it: "You wrote: …". */
export const withoutLeadIn = (text: string) => text.replace(/^\S+(?: \S+)?: /, "");

/** A number with its noun, such as "1 fact" or "2 facts". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Lines, corners and blocks with which programs draw frames. */
const FRAMES = /[\u2500-\u259F]+/g;

/** What a program printed on one line: the texts in its JSON, without frames. */
export function readable(text: string): string {
  const escaped = /^\s*[[{"]/.test(text) ? jsonTexts(text) : text;
  return oneLine(escaped.replace(/\\[nrt](?![\w\\])/g, " ").replace(FRAMES, " "));
}

/** The texts in JSON, or the text itself if it is something else. */
function jsonTexts(text: string): string {
  const texts: string[] = [];
  try {
    JSON.parse(text, (_, value) => (typeof value === "string" ? texts.push(value) : undefined));
  } catch {
    return text;
  }
  return texts.length > 0 ? texts.join(" ") : text;
}

/** Both ends of a long text, cut at words: programs sum up at the end. */
export function beginningAndEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/\s\S*$/, "");
  const tail = text.slice(-half).replace(/^\S*\s/, "");
  return `${head} … ${tail}`;
}
