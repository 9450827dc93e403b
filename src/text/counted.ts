/** A number with its noun, such as "1 fact" or "2 facts". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
