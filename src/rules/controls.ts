// Characters that are acted on or hidden, and not seen: a terminal obeys control characters, shows what stands behind a
// change of direction in another order, and shows nothing of those without a width, in which a model still reads words.
const ACTED_ON = /(?![\n\t]|\r\n)\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

// Where words are written with them: between letters that would join or would not, in signs that are put together, behind
// one that has several forms, in the flag of a region.
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

/** A mark in the place of what is acted on, so that it is seen that something is there; what is hidden goes. */
export function markControls(text: string): string {
  const seen = ANY_HIDDEN.test(text) ? text.replace(UNSEEN, (_, written?: string) => written ?? "") : text;
  return seen.replace(ACTED_ON, "\uFFFD");
}
