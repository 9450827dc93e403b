// What src/config/prepared.ts is in the library: the data is imported, so that programs that use the library can be bundled.
import phrases from "./data/phrases.js";
import prepared from "./data/prepared.js";
import templates from "./data/templates.js";
import embedded from "./data/texts.js";

export { embedded, prepared };
export const packText = (name) => embedded[name];
export const isKnownTemplate = (text) => templates.includes(text);
export const packedPhrases = () => phrases;
