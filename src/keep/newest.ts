// Of what a long-lived process remembers by name, the newest so many.

/** Puts a value in as the newest, and lets go of the oldest beyond so many. */
export function keepNewest<T>(map: Map<string, T>, name: string, value: T, most: number): void {
  map.delete(name);
  map.set(name, value);
  for (const [oldest] of map) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
