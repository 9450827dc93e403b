// Patterns for letters and digits of any script. Unicode classes take milliseconds to compile, and most texts do not need them.

/** A character outside ASCII, except marks, arrows, symbols, icons and emoji. */
const FOREIGN =
  /[^\0-\x7f\xa0-\xa9\xab-\xb1\xb7\xbb\xd7\u2010-\u205e\u2190-\u245f\u2500-\u2775\u2794-\u2bff\ud83c-\ud83e\udc00-\udfff\ue000-\uf8ff]|\ud83c[\udd00-\udd0c]|\ud83e[\udff0-\udff9]/;

/** Are all letters and digits of a text ASCII? */
export const isSimple = (text: string): boolean => !FOREIGN.test(text);

const IN_ASCII: Readonly<Record<string, string>> = { L: "A-Za-z", Ll: "a-z", Lu: "A-Z", N: "0-9" };

/** Returns the pattern to use for a text: with Unicode classes only if the text needs them.
 * @param source with Unicode classes inside brackets: `[\p{L}_]` */
export function lettersPattern(source: string, flags = ""): (text: string) => RegExp {
  const simple = new RegExp(
    source.replace(/\\p\{(\w+)\}/g, (_, name: string) => IN_ASCII[name] ?? ""),
    flags,
  );
  let any: RegExp | undefined;
  return (text) => {
    if (isSimple(text)) return simple;
    any ??= new RegExp(source, `${flags}u`);
    return any;
  };
}
