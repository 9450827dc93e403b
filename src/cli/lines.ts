// A stream of bytes as lines, one at a time, so that a long file is never held as a whole.

/** Lines without their end; undefined stands for one of more than `most` characters, which is not held either. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    length += part.length;
    if (length <= most) parts.push(part);
    else parts = [];
  };
  const end = () => {
    const line = length > most ? undefined : parts.join("").replace(/\r$/, "");
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    take(first);
    for (const part of rest) {
      yield end();
      take(part);
    }
  }
  take(decoder.decode());
  if (length > 0) yield end();
}
