/** However a text is broken into lines, as one. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
