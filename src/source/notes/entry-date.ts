// Reads the date of an entry's heading in any common form. The names of months and weekdays come from the platform.

export interface EntryDate {
  /** Where the date is in the line, with its weekday and time. */
  readonly start: number;
  readonly end: number;
  /** The day if 03/04/2026 is in April, and if it is in March; undefined if it cannot be read so. YYYY-MM-DD or YYYY-MM, and 0000 if
   * the line has no year. */
  readonly days: readonly [string | undefined, string | undefined];
  /** HH:MM, if the line has one. */
  readonly time?: string;
}

export const NO_YEAR = "0000";

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];
const SHORTEST_NAME = 3;

/** The years of a log. Other numbers of four digits are something else. */
const YEAR = "((?:19|20)\\d\\d)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th|[.ºª])?";
const NAME = "(\\p{L}{3,12})\\.?";
/** Between the parts of a date in words: "3rd of June, 2026", "3. Juni 2026", "3-Jun-2026". */
const GAP = "(?:[ ,-]+(?:of|de|del)?[ ]*)";

/** A time that is joined to the date: 2026-06-03T14:30:00Z. */
const CLOCK = "(?:T(\\d\\d):?(\\d\\d)(?::?\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?";

type Parts = readonly (string | undefined)[];
type Day = Pick<EntryDate, "days" | "time">;

interface DateForm {
  readonly pattern: RegExp;
  readonly read: (parts: Parts) => Day | undefined;
}

const form = (pattern: string, read: DateForm["read"]): DateForm => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}]|\\d[./-])${pattern}(?![\\p{L}\\p{N}]|[./]\\d|-\\d(?!\\d{3}))`, "gu"),
  read,
});

/** In this order: the first one that fits is the date. */
const FORMS: readonly DateForm[] = [
  form(`${YEAR}([-/. ])(\\d{1,2})\\2(\\d{1,2})${CLOCK}`, ([year, , month, day, ...time]) => dayOf(year, month, day, time)),
  form(`${YEAR}(\\d\\d)(\\d\\d)(?:-(\\d\\d)(\\d\\d)|${CLOCK})`, ([year, month, day, ...time]) => dayOf(year, month, day, time)),
  form(`${YEAR} ?年 ?(\\d{1,2}) ?月 ?(\\d{1,2}) ?日`, ([year, month, day]) => dayOf(year, month, day)),
  form(`${YEAR}-?W(\\d\\d)(?:-?([1-7]))?`, ([year, week, day]) => dayOfWeek(year, week, day)),
  form(`(?:[Ww]eek|[KC]W) ?(\\d{1,2})[ ,/-]+${YEAR}`, ([week, year]) => dayOfWeek(year, week)),
  form(`(\\d{1,2})\\.[ ]?(\\d{1,2})\\.[ ]?${YEAR}`, ([day, month, year]) => dayOf(year, month, day)),
  form("(\\d\\d)\\.(\\d\\d)\\.(\\d\\d)", ([day, month, year]) => dayOf(`20${year}`, month, day)),
  form(`(\\d{1,2})([/-])(\\d{1,2})\\2(?:${YEAR}|(\\d\\d))`, ([first, , second, year, short]) =>
    eitherDay(year ?? `20${short}`, first, second),
  ),
  form(`${NAME}${GAP}${DAY}${GAP}${YEAR}`, ([name, day, year]) => dayOf(year, monthOf(name), day)),
  form(`${DAY}${GAP}${NAME}${GAP}${YEAR}`, ([day, name, year]) => dayOf(year, monthOf(name), day)),
  form(`${YEAR}${GAP}${NAME}${GAP}${DAY}`, ([year, name, day]) => dayOf(year, monthOf(name), day)),
  form(`${NAME}${GAP}${YEAR}`, ([name, year]) => dayOf(year, monthOf(name))),
  form(`${YEAR}-(\\d\\d)`, ([year, month]) => dayOf(year, month)),
  form(`${NAME}${GAP}${DAY}`, ([name, day]) => dayOf(NO_YEAR, monthOf(name), day)),
  form(`${DAY}${GAP}${NAME}`, ([day, name]) => dayOf(NO_YEAR, monthOf(name), day)),
];

const TIME =
  /^(?:[ ,@—–-]|um |at )*(\d{1,2})(?:[:.h](\d\d)(?::\d\d)?)?(?: ?([ap])\.?m\b\.?)?(?: (?:UTC|GMT|Uhr|[A-Z]{2,3}T)\b)?(?![\d.,]\d)/u;

/** The date of a line; undefined if it has none. */
export function entryDate(line: string): EntryDate | undefined {
  if (!/\d/.test(line)) return undefined;
  for (const { pattern, read } of FORMS)
    for (const found of line.matchAll(pattern)) {
      const day = read(found.slice(1));
      if (day) return { ...day, ...around(line, found.index, found.index + found[0].length) };
    }
  return undefined;
}

/** The date as YYYY-MM-DD, so that one phrase finds all forms. A date without a year must be the first words of the line. */
export function isoDate(line: string): (Pick<EntryDate, "start" | "end"> & { readonly iso: string }) | undefined {
  const date = entryDate(line);
  const [day] = date?.days.filter((one) => one !== undefined) ?? [];
  if (!date || day === undefined) return undefined;
  const { start, end } = date;
  const alone = /^[#\s]*$/.test(line.slice(0, start)) && /^\s*(?:$|[:([—–-])/.test(line.slice(end));
  if (day.startsWith(NO_YEAR) && !alone) return undefined;
  return { start, end, iso: day.padEnd(10, "-01") };
}

/** With the weekday before or behind it, and the time of day. */
function around(line: string, from: number, to: number): Pick<EntryDate, "start" | "end" | "time"> {
  const before = /(\p{L}{2,12})[.,]*(?: (?:den|the|le))? *$/u.exec(line.slice(0, from));
  const start = before && isWeekday(before[1] as string) ? before.index : from;
  const behind = /^[ ,]*\(?(\p{L}{2,12})\b\.?\)?/u.exec(line.slice(to));
  const end = behind && isWeekday(behind[1] as string) ? to + behind[0].length : to;
  const [said, hour = "", minute, half] = TIME.exec(line.slice(end)) ?? [];
  // A lone number behind a date is not a time.
  if (said === undefined || (!half && minute === undefined) || Number(hour) > 23) return { start, end };
  const of24 = half ? (Number(hour) % 12) + (half === "p" ? 12 : 0) : Number(hour);
  return { start, end: end + said.length, time: `${two(of24)}:${minute ?? "00"}` };
}

const two = (part: string | number) => String(part).padStart(2, "0");

function dayOf(year = "", month: string | number = "", day?: string, time: Parts = []): Day | undefined {
  const [of, at] = [Number(month), Number(day ?? 1)];
  if (!(of >= 1 && of <= 12 && at >= 1 && at <= 31)) return undefined;
  const [hour, minute] = time.filter((part) => part !== undefined);
  const one = `${year}-${two(of)}${day === undefined ? "" : `-${two(at)}`}`;
  return {
    days: [one, one],
    ...(minute !== undefined && { time: `${hour}:${minute}` }),
  };
}

function eitherDay(year: string, first = "", second = ""): Day | undefined {
  const [dayFirst, monthFirst] = [dayOf(year, second, first), dayOf(year, first, second)];
  return dayFirst || monthFirst ? { days: [dayFirst?.days[0], monthFirst?.days[0]] } : undefined;
}

/** The day of an ISO week, else its Monday. Week 1 has the fourth of January. */
function dayOfWeek(year = "", week = "", day = "1"): Day | undefined {
  if (Number(week) < 1 || Number(week) > 53) return undefined;
  const fourth = new Date(Date.UTC(Number(year), 0, 4));
  const days = (Number(week) - 1) * 7 + Number(day) - 1 - ((fourth.getUTCDay() + 6) % 7);
  const date = new Date(fourth.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  return { days: [date, date] };
}

// The names of months and weekdays, without accents, in small letters.

const plain = (name: string) => name.normalize("NFD").replace(/\P{L}/gu, "").toLowerCase();

let monthNames: ReadonlyMap<string, number> | undefined;
let weekdayNames: ReadonlySet<string> | undefined;

/** Also of a shortened name, such as Sept or Febr, unless two months may be meant. */
function monthOf(name = ""): number | undefined {
  monthNames ??= new Map(
    LANGUAGES.flatMap((language) => {
      const { format } = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, month) => [plain(format(Date.UTC(2026, month, 3))), month + 1] as const);
    }),
  );
  const said = plain(name);
  const found = new Set([...monthNames].flatMap(([month, at]) => (month.startsWith(said) ? at : [])));
  return said.length >= SHORTEST_NAME && found.size === 1 ? [...found][0] : undefined;
}

function isWeekday(name: string): boolean {
  weekdayNames ??= new Set(
    LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((weekday) => {
        const { format } = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" });
        return Array.from({ length: 7 }, (_, day) => plain(format(Date.UTC(2026, 0, day + 4))));
      }),
    ),
  );
  const said = plain(name);
  return weekdayNames.has(said) || (said.length > SHORTEST_NAME && [...weekdayNames].some((day) => day.startsWith(said)));
}
