// What comes first of many, when what has come changes the others little by little.

/** @param ordered each before those behind it, or of the same worth */
export function createHeap<T>(ordered: readonly T[], isBefore: (a: T, b: T) => boolean) {
  const heap = [...ordered];

  /** The top finds its place again. */
  function sink(): void {
    const one = heap[0] as T;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as T, heap[below] as T)) below++;
      if (!isBefore(heap[below] as T, one)) break;
      heap[at] = heap[below] as T;
      at = below;
    }
    if (heap.length > 0) heap[at] = one;
  }

  return {
    top: (): T | undefined => heap[0],
    sink,
    take(): void {
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return;
      heap[0] = last;
      sink();
    },
  };
}
