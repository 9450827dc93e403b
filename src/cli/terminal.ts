// The terminal: colours where they are wanted, a progress line on long work.
import { PROGRESS_MILLISECONDS, REFRESH_MILLISECONDS } from "../limits.js";
import { markControls } from "../rules/controls.js";

type Paint = (text: string) => string;

export interface Colours {
  readonly red: Paint;
  readonly yellow: Paint;
  readonly green: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
}

/** Begins our own escape sequences, and no others: no text knows it. */
const OWN = `\u001B${Math.random()}`;
const ESCAPE = "\u001B";

/** A text for people: of what a terminal acts on, only our colours are left. */
export const printable = (text: string) => text.split(OWN).map(markControls).join(ESCAPE);

/** For a text that is made printable. NO_COLOR and FORCE_COLOR count before what the stream is. */
export function coloursFor(stream: NodeJS.WriteStream): Colours {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = NO_COLOR ? false : FORCE_COLOR !== undefined ? FORCE_COLOR !== "0" : stream.isTTY === true && TERM !== "dumb";
  const paint =
    (code: number): Paint =>
    (text) =>
      wanted ? `${OWN}[${code}m${text}${OWN}[0m` : text;
  return { red: paint(31), yellow: paint(33), green: paint(32), dim: paint(2), bold: paint(1) };
}

export interface Progress {
  readonly step: (what: string) => void;
  readonly end: () => void;
}

/** Shown on a terminal once the work has taken a second; cleared when it ends. */
export function createProgress(): Progress {
  const begun = Date.now();
  let last = begun;
  let shown = false;
  return {
    step(what: string): void {
      const now = Date.now();
      if (now - begun < PROGRESS_MILLISECONDS || (shown && now - last < REFRESH_MILLISECONDS)) return;
      // Not before: loading the stream takes its time.
      const stream = process.stderr;
      if (!stream.isTTY) return;
      shown = true;
      last = now;
      stream.write(`\r\u001B[K${printable(what).slice(0, Math.max(10, (stream.columns ?? 80) - 1))}`);
    },
    end(): void {
      if (shown) process.stderr.write("\r\u001B[K");
    },
  };
}
