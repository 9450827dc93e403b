// What src/config/prepared.ts is in the plugin: one file that can be anywhere, so the build puts the data in place of these names.
/* global PREPARED, PHRASES, TEMPLATES, TEXTS */
export const embedded = TEXTS;
export const prepared = JSON.parse(PREPARED);
export const packText = (name) => embedded[name];
export const isKnownTemplate = (text) => TEMPLATES.includes(text);
export const packedPhrases = () => PHRASES;
