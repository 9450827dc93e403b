// What is printed of many sessions, each as soon as it is its turn.
import { print, warnInTurn } from "./print.js";
import type { Outcome, Wish } from "./session-work.js";

export function createPrinter(form: Wish["print"], clear: () => void) {
  let printed = 0;
  let several = false;

  return {
    async print(outcome: Outcome): Promise<void> {
      clear();
      several ||= outcome.several;
      if (outcome.out !== "") {
        await print(form === "json" && several ? entry(outcome.out, printed === 0) : outcome.out);
        printed++;
      }
      await warnInTurn(outcome.notes);
    },
    async end(): Promise<void> {
      clear();
      if (form !== "json") return;
      if (several) await print(printed === 0 ? "[]\n" : "\n]\n");
      else if (printed > 0) await print("\n");
    },
  };
}

/** As it stands in a list that is printed as a whole. */
const entry = (document: string, first: boolean) => `${first ? "[" : ","}\n  ${document.replaceAll("\n", "\n  ")}`;
