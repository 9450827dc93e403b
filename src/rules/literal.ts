/** A text as an expression that matches it and nothing else, with or without the flag u. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
