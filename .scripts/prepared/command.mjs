// What src/config/prepared.ts is in the command: the data is read as JSON from the modules of the library, which is faster.
import { readFileSync } from "node:fs";

const encodingOf = (name) => (name === "phrases" ? "utf8" : "latin1");
const read = (name) => readFileSync(new URL(`../config/data/${name}.js`, import.meta.url), encodingOf(name));
const parse = (name) => JSON.parse(read(name).slice("export default ".length, -1));
const later = (name) => {
  let data;
  return () => {
    data ??= parse(name);
    return data;
  };
};
const [phrases, texts, templates] = ["phrases", "texts", "templates"].map(later);

export const embedded = undefined;
export const prepared = parse("prepared");
export const packText = (name) => texts()[name];
export const isKnownTemplate = (text) => templates().includes(text);
export const packedPhrases = () => phrases();
