// What is printed of many sessions, each as soon as it is its turn.
import type { Outcome, Wish } from "./session-work.js";

export function createPrinter(print: Wish["print"], clear: () => void) {
  let printed = 0;
  let several = false;

  /** Waits where the reader is slower than we are: what it has not read is held in memory. */
  async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
    if (text !== "" && !stream.write(text)) await new Promise<void>((resolve) => stream.once("drain", resolve));
  }

  return {
    async print(outcome: Outcome): Promise<void> {
      clear();
      several ||= outcome.several;
      if (outcome.out !== "") {
        await write(process.stdout, print === "json" && several ? entry(outcome.out, printed === 0) : outcome.out);
        // By itself, for a text that is put together of two is copied.
        if (print === "jsonl") await write(process.stdout, "\n");
        printed++;
      }
      await write(process.stderr, outcome.notes);
    },
    async end(): Promise<void> {
      clear();
      if (print !== "json") return;
      if (several) await write(process.stdout, printed === 0 ? "[]\n" : "\n]\n");
      else if (printed > 0) await write(process.stdout, "\n");
    },
  };
}

/** As it stands in a list that is printed as a whole. */
const entry = (document: string, first: boolean) => `${first ? "[" : ","}\n  ${document.replaceAll("\n", "\n  ")}`;
