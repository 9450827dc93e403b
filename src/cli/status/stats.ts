// compaction stats: what became of the facts in the compactions of a project, or of all.

import { type Fate, type History, readHistories, receiptOf, sumOf, type Tally } from "../../state/history.js";
import { counted } from "../../text/forms.js";
import { type Arguments, dateIn, inStateFolder, noPositional } from "../input/arguments.js";
import { alignedColumns } from "../output/lines.js";
import { type Colours, CommandError, coloursOf, printJson, say } from "../output/terminal.js";
import { writeOut } from "../output/write-out.js";

const LISTED = 10;

export async function stats(given: Arguments): Promise<number | undefined> {
  noPositional(given.positionals, "stats");
  const { project } = given.values;
  const since = dateIn(given, "since") ?? "";
  const all = await inStateFolder(() => readHistories(project));
  const histories = all.map(({ folder, tallies }) => ({ folder, tallies: tallies.filter(({ time }) => time >= since) }));
  const { card } = given.values;
  if (card !== undefined) return writeCard(card, histories);
  if (given.flags.json) return printJson({ version: 1, projects: histories });
  say(toText(histories, coloursOf()));
}

type Histories = readonly Pick<History, "folder" | "tallies">[];

function writeCard(file: string, histories: Histories): undefined {
  const done = histories.flatMap(({ tallies }) => tallies.filter(({ fault }) => fault === undefined));
  const [first] = done.map(({ time }) => time).sort();
  if (first === undefined) throw new CommandError("no compaction yet, so there is nothing to show");
  writeOut(file, statsCard(sumOf(done.flatMap(({ kinds }) => Object.values(kinds))), done.length, first.slice(0, 10)), "card");
  say(`wrote ${file}\n`);
}

function toText(histories: Histories, colours: Colours): string {
  const all = histories.flatMap(({ folder, tallies }) => tallies.map((tally) => ({ ...tally, folder })));
  const failed = all.filter(({ fault }) => fault !== undefined).length;
  const done = all.length - failed;
  if (all.length === 0) return "no compaction yet\n";
  const tokens = all.reduce((sum, one) => sum + one.tokens, 0);
  const average = `${Math.round(tokens / Math.max(1, done))} tokens added on average`;
  const head = [counted(done, "compaction"), ...(failed > 0 ? [`${failed} failed`] : []), average];
  const newest = [...all].sort((a, b) => (a.time < b.time ? 1 : -1)).slice(0, LISTED);
  const lines = alignedColumns(
    newest.map((one) => [one.time.slice(0, 16).replace("T", " "), one.host, receiptOf(one), colours.dim(one.folder)]),
  );
  return [head.join(", "), "", ...kindLines(all), "", ...lines.map((cells) => cells.join("  "))]
    .map((line) => `${line}\n`)
    .join("");
}

function kindLines(tallies: readonly Tally[]): readonly string[] {
  const kinds = new Map<string, Required<Fate>>();
  for (const [kind, fate] of tallies.flatMap((one) => Object.entries(one.kinds)))
    kinds.set(kind, sumOf([fate, kinds.get(kind) ?? sumOf([])]));
  const rows: readonly (readonly [string, Required<Fate>])[] = [...kinds, ["all", sumOf([...kinds.values()])]];
  const cells = rows.map(([kind, { kept, repaired, unsure, lost }]) => [kind, ...[kept, repaired, unsure, lost].map(String)]);
  return alignedColumns([["", "kept", "repaired", "unsure", "lost"], ...cells]).map((row) => row.join("  ").trimEnd());
}

// The card of stats --card: a picture with the numbers of all compactions, and no text of any session.

const WIDTH = 480;
const MARGIN = 24;
const BAR = { top: 76, height: 18 };
const FATES = [
  { fate: "kept", says: "kept by the summaries", colour: "#2e7d32" },
  { fate: "repaired", says: "put back by compaction-rules", colour: "#1565c0" },
  { fate: "unsure", says: "perhaps told in other words", colour: "#9e9e9e" },
  { fate: "lost", says: "in neither", colour: "#c62828" },
] as const;

/** @param since the day of the first compaction */
function statsCard(sum: Required<Fate>, compactions: number, since: string): string {
  const all = FATES.reduce((total, { fate }) => total + sum[fate], 0);
  const room = WIDTH - 2 * MARGIN;
  let left = MARGIN;
  const bars = FATES.map(({ fate, colour }) => {
    const width = (sum[fate] / Math.max(1, all)) * room;
    left += width;
    return `<rect x="${(left - width).toFixed(1)}" y="${BAR.top}" width="${width.toFixed(1)}" height="${BAR.height}" fill="${colour}"/>`;
  });
  const rows = FATES.map(({ fate, says, colour }, index) => {
    const y = BAR.top + BAR.height + 30 + index * 22;
    return `<circle cx="${MARGIN + 5}" cy="${y - 5}" r="5" fill="${colour}"/><text x="${MARGIN + 20}" y="${y}">${sum[fate]} ${says}</text>`;
  });
  const head = `${counted(all, "fact")} in ${counted(compactions, "compaction")} since ${since}`;
  const height = BAR.top + BAR.height + 30 + FATES.length * 22;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-label="${head}">
<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d0d0"/>
<g fill="#222222">
<text x="${MARGIN}" y="34" font-size="16" font-weight="bold">compaction-rules</text>
<text x="${MARGIN}" y="58">${head}</text>
${[...bars, ...rows].join("\n")}
</g>
</svg>
`;
}
