// The built-in packs of a page. A page gets them as data, and sets them before it uses the engine.
import type { PreparedPacks } from "../../config/prepared.js";

export interface BuiltIn {
  readonly prepared: PreparedPacks;
  readonly phrases: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly templates: readonly string[];
}

export const embedded: Record<string, string> = {};
export let prepared: PreparedPacks | undefined;
let phrases = "";
let templates: readonly string[] = [];

export function usePrepared(built: BuiltIn): void {
  Object.assign(embedded, built.texts);
  prepared = built.prepared;
  phrases = built.phrases;
  templates = built.templates;
}

export const packText = (_name: string): string | undefined => undefined;
export const isKnownTemplate = (text: string) => templates.includes(text);
export const packedPhrases = () => phrases;
