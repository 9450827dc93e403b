// Orders the entries of a log, newest first.
import { NO_YEAR } from "./entry-date.js";
import type { LogHead } from "./log-marks.js";

interface Dated {
  readonly head: LogHead;
  readonly day?: string | undefined;
  readonly time?: string | undefined;
}

/** By day, time and number, then by place. Dates that cannot be compared only tell whether the log is written downwards, and dates
 * that can be read in two ways count only if both give the same order. */
export function newestFirst(heads: readonly LogHead[]): readonly LogHead[] {
  const readings = [0, 1].filter((way) => heads.every(({ date }) => !date || date.days[way]));
  const read = readings.map((way) => heads.map((head): Dated => ({ head, day: head.date?.days[way], time: head.date?.time })));
  const steady = read.filter((one) => isSteady(one));
  const [order, other = order] = (steady.length > 0 ? steady : read).map(ordered);
  return order && other && order.every((head, index) => head === other[index]) ? order : ordered(heads.map((head) => ({ head })));
}

function ordered(heads: readonly Dated[]): readonly LogHead[] {
  const inOrder = isNewestLast(heads) ? [...heads].reverse() : [...heads];
  const comparable = new Set(inOrder.map(({ day = "" }) => (day.startsWith(NO_YEAR) ? 0 : day.length)));
  const sorted = comparable.size === 1 && !comparable.has(0) ? inOrder.sort((a, b) => -compare(a, b) || byNumber(a, b)) : inOrder;
  return sorted.map(({ head }) => head);
}

const byNumber = ({ head: a }: Dated, { head: b }: Dated) => (a.number && b.number ? b.number - a.number : 0);

/** Negative if the first one is older; 0 if that is not known. */
function compare(a: Dated, b: Dated): number {
  const [before, after] = a.day === b.day ? [a.time, b.time] : [a.day, b.day];
  if (before === undefined || after === undefined || before.startsWith(after) || after.startsWith(before)) return 0;
  if (before.startsWith(NO_YEAR) !== after.startsWith(NO_YEAR)) return 0;
  // Without a year, January follows December.
  const isWrapped = before.startsWith(NO_YEAR) && Math.abs(monthOf(before) - monthOf(after)) > HALF_A_YEAR;
  return before < after === isWrapped ? 1 : -1;
}

const HALF_A_YEAR = 6;
const monthOf = (day: string) => Number(day.slice(5, 7));

const steps = (heads: readonly Dated[]) => heads.slice(1).map((one, index) => compare(heads[index] as Dated, one));

const isSteady = (heads: readonly Dated[]) => new Set(steps(heads).filter((step) => step !== 0)).size < 2;

/** Do the dates, or else the numbers, mostly rise? If there are neither, the first entry is the newest. */
function isNewestLast(heads: readonly Dated[]): boolean {
  const falls = steps(heads.filter(({ day }) => day !== undefined)).reduce((sum, step) => sum + step, 0);
  if (falls !== 0) return falls < 0;
  const numbers = heads.flatMap(({ head }) => head.anyNumber ?? []);
  return numbers.slice(1).reduce((sum, one, index) => sum + Math.sign(one - (numbers[index] as number)), 0) > 0;
}
