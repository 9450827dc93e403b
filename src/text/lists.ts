// Binary search, heaps, grouping and comparison of lists.

/** How many entries at the start of a sorted list come before what is looked for. */
export function countBefore<T>(sorted: readonly T[], isBefore: (entry: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts an entry in the place of the first one of a heap, and then where it belongs. A sorted list is a heap. */
export function sink<T>(heap: T[], entry: T, compare: (a: T, b: T) => number): void {
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && compare(heap[below + 1] as T, heap[below] as T) < 0) below++;
    if (compare(entry, heap[below] as T) <= 0) break;
    heap[at] = heap[below] as T;
    at = below;
  }
  heap[at] = entry;
}

/** The entries of a list by key. Both keep the order of the list. */
export function groupBy<T, K>(list: Iterable<T>, keyOf: (entry: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const entry of list) addTo(groups, keyOf(entry), entry);
  return groups;
}

export function addTo<T, K>(groups: Map<K, T[]>, key: K, entry: T): void {
  const group = groups.get(key);
  if (group) group.push(entry);
  else groups.set(key, [entry]);
}

/** How many entries two lists or texts share at their start, and how many of the others at their end. */
export function commonEnds(a: ArrayLike<string>, b: ArrayLike<string>) {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}
