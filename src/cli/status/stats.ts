// compaction stats: what became of the facts in the compactions of a project, or of all.
import { type Fate, type History, readHistories, receiptOf, sumOf, type Tally } from "../../state/history.js";
import { counted } from "../../text/counted.js";
import { type Arguments, dateIn, inStateFolder, noPositional } from "../input/arguments.js";
import { columnsOf } from "../output/lines.js";
import { type Colours, CommandError, coloursOf, printJson, say } from "../output/terminal.js";
import { writeOut } from "../output/write-out.js";
import { statsCard } from "./stats-card.js";

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
  const lines = columnsOf(
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
  return columnsOf([["", "kept", "repaired", "unsure", "lost"], ...cells]).map((row) => row.join("  ").trimEnd());
}
