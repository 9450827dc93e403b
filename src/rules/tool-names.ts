// Finds tools by their names. An entry may name only the end of it (`*__fetch`), because servers and plugins add prefixes.

export const ANY = "*";

/** @param tools by their names, as the packs declare them */
export function toolsByName<T>(tools: Map<string, T>): ReadonlyMap<string, T> {
  const endings = [...tools].flatMap(([name, tool]) =>
    name.startsWith(ANY) ? [[name.slice(ANY.length).toLowerCase(), tool] as const] : [],
  );
  if (endings.length === 0) return tools;
  const known = new Map<string, T | undefined>(tools);
  function get(name: string): T | undefined {
    if (!known.has(name)) {
      const lower = name.toLowerCase();
      known.set(name, endings.findLast(([ending]) => lower.endsWith(ending))?.[1]);
    }
    return known.get(name);
  }
  return Object.assign(tools, { get, has: (name: string) => get(name) !== undefined });
}
