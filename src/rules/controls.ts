// Characters that are acted on and not seen: a terminal obeys control characters, and shows what stands behind a change
// of direction in another order.
const ACTED_ON = /(?![\n\t]|\r\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

/** A mark in the place of each, so that it is seen that something is there. */
export const markControls = (text: string) => text.replace(ACTED_ON, "\uFFFD");
