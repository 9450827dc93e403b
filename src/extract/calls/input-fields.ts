// Reads the input of a tool call by the keys that a pack names.

export function valueAt(input: unknown, key: string): unknown {
  return typeof input === "object" && input !== null && Object.hasOwn(input, key)
    ? (input as Record<string, unknown>)[key]
    : undefined;
}

export function listAt(input: unknown, key: string): readonly unknown[] {
  const value = valueAt(input, key);
  return Array.isArray(value) ? value : [];
}

/** The first key that holds a text; a list of words is joined to a command line. */
export function firstText(input: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = valueAt(input, key);
    const text = Array.isArray(value) ? commandLine(value) : value;
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return undefined;
}

/** Like `firstText`, but an id may also be a number. */
export function firstId(input: unknown, keys: readonly string[]): string | undefined {
  const number = keys.map((key) => valueAt(input, key)).find((value) => typeof value === "number");
  return firstText(input, keys) ?? (number === undefined ? undefined : String(number));
}

function commandLine(words: readonly unknown[]): string | undefined {
  if (!words.every((word) => typeof word === "string")) return undefined;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
