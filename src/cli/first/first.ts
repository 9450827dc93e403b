// compaction without a command: shows on the user's own sessions what their summaries lost, and how to keep it from now on.

import { relative } from "node:path";
import { homeFolder } from "../../files/folders.js";
import { SETUPS } from "../../hosts/hosts.js";
import { ownProgram } from "../../hosts/own-program.js";
import { counted, shellWord } from "../../text/forms.js";
import { type Arguments, noPositional } from "../input/arguments.js";
import { fileInput, listedInput, SAMPLE } from "../input/open-session.js";
import { alignedColumns, shortLine } from "../output/lines.js";
import { ask, type Colours, coloursOf, createProgress, printJson, say } from "../output/terminal.js";
import { type AgentHere, findAgents, holdsMark } from "./agents-here.js";
import { briefOfSession, isLost, isUnsure, type Loss, lossOf, mostImportant, SHOWN } from "./losses.js";

const MILLISECONDS = 6_000;
/** Sessions that are looked at, and sessions with a compaction that are checked. */
const LOOKED_AT = 400;
/** Larger files are left out: one would take all the time. */
const FILE_BYTES = 16_000_000;
const CHECKED = 40;
const LINES = 12;
/** Of each session. */
const COMMANDS = 2;
/** Without a compaction: sessions that are tried for a brief, and the length of the brief. */
const BRIEFS = 5;
const BRIEF_TOKENS = 300;
const FACT_CHARACTERS = 78;
const PROJECT_CHARACTERS = 20;
/** Columns of a line that neither the quote nor its place needs. */
const OTHER_COLUMNS = 18;
const sampleHint = () => `To see a sample:  ${ownProgram()} --sample`;

export async function first({ flags, positionals }: Arguments): Promise<number | undefined> {
  noPositional(positionals, "compaction-rules");
  const home = homeFolder() ?? "";
  const agents = findAgents(home, process.cwd(), process.env);
  const withSessions = agents.filter(({ sessions }) => sessions.length > 0);
  const isSample = flags.sample === true || withSessions.length === 0;
  const shown = (path: string) =>
    home !== "" && path.startsWith(home) ? `~/${relative(home, path)}`.replaceAll("\\", "/") : path;
  const colours = coloursOf();
  if (!flags.json && isSample) say(flags.sample ? "" : "There are no sessions of coding agents here, so this is a sample.\n");
  else if (!flags.json) say(readingText(withSessions, shown, colours));
  if (!isSample && !flags.yes && /^\s*n/i.test((await ask("Read the newest of them? [Y/n] ")) ?? ""))
    return say(`Nothing was read. ${sampleHint()}\n`);
  const { losses, looked } = isSample ? { losses: [lossOf(fileInput(SAMPLE)) as Loss], looked: 1 } : readAll(withSessions);
  const newest = losses.length === 0 ? newestBrief(withSessions) : undefined;
  if (flags.json) return printJson({ version: 1, looked, sessions: losses, ...(newest && { newest }) });
  if (newest) say(briefText(newest, looked, shown, colours));
  else say(lossText(losses, looked, newestFirst(withSessions).length, shown, colours));
  say(agentText(agents, shown, colours));
}

type Shown = (path: string) => string;

/** As the user types it in a shell, which finds the home folder for `~/` only if it is not quoted. */
const typed = (path: string, shown: Shown) =>
  shown(path).replace(/^(~\/)?(.*)$/s, (_, home = "", rest: string) => `${home}${shellWord(rest)}`);

function readingText(agents: readonly AgentHere[], shown: Shown, { bold }: Colours): string {
  const rows = agents.map(({ setup: { agent }, sessions, folder }) => [
    bold(agent.title),
    sessions.some(({ isClosed }) => isClosed)
      ? `sessions in ${shown(folder)}, which cannot be read here`
      : `${counted(sessions.length, "session")} in ${shown(folder)}`,
  ]);
  const lines = alignedColumns(rows).map((cells) => `  ${cells.join("  ")}\n`);
  return `Sessions of coding agents on this machine. They are only read, and nothing leaves the machine:\n${lines.join("")}`;
}

function readAll(agents: readonly AgentHere[]): { readonly losses: readonly Loss[]; readonly looked: number } {
  const until = performance.now() + MILLISECONDS;
  const progress = createProgress();
  const losses: Loss[] = [];
  let looked = 0;
  for (const { here, session } of newestFirst(agents).slice(0, LOOKED_AT)) {
    if (performance.now() > until || losses.length >= CHECKED) break;
    looked++;
    progress.step(`${looked} sessions read, ${losses.length} with a compaction`);
    const loss = holdsMark(here, session) ? lossOf(listedInput(session)) : undefined;
    if (loss) losses.push(loss);
  }
  progress.end();
  return { losses, looked };
}

const newestFirst = (agents: readonly AgentHere[]) =>
  agents
    .flatMap((here) => here.sessions.map((session) => ({ here, session })))
    .filter(({ session }) => !session.isClosed && session.bytes <= FILE_BYTES)
    .sort((a, b) => b.session.time - a.session.time);

type Newest = { readonly path: string; readonly brief: string };

function newestBrief(agents: readonly AgentHere[]): Newest | undefined {
  for (const { session } of newestFirst(agents).slice(0, BRIEFS)) {
    const brief = briefOfSession(listedInput(session), BRIEF_TOKENS);
    if (brief !== undefined) return { path: session.path, brief };
  }
  return undefined;
}

function briefText({ path, brief }: Newest, looked: number, shown: Shown, { bold }: Colours): string {
  const none = `No summary of a compaction was found in ${counted(looked, "session")}.`;
  return `
${bold(`${none} This is what a compaction of the newest one has to keep:`)}

${brief.trimEnd()}

See where it was said:  ${ownProgram()} view ${typed(path, shown)}
Search, in a project:   ${ownProgram()} find WORDS

`;
}

function lossText(losses: readonly Loss[], looked: number, all: number, shown: Shown, { bold, yellow, dim }: Colours): string {
  const verdicts = losses.flatMap((loss) => loss.verdicts);
  const lost = verdicts.filter(isLost);
  const read = counted(looked, "session");
  if (looked === 0) return "\nNo session could be read in time.\n\n";
  if (losses.length === 0)
    return `\nNone of the ${read} that were read says anything that a compaction has to keep. ${sampleHint()}\n\n`;
  const counts = Object.entries(SHOWN).flatMap(([kind, [single, several]]) => {
    const count = lost.filter((fact) => fact.kind === kind).length;
    return count > 0 ? [`${count} ${count === 1 ? single : several}`] : [];
  });
  const [has, summaries] = losses.length === 1 ? ["has", "summary"] : ["have", "summaries"];
  const rest = looked < all ? ` The other ${all - looked} are older.` : "";
  const facts = verdicts.filter(({ kind }) => kind in SHOWN).length;
  const nowhere = bold(`${lost.length} of ${facts} facts are nowhere in the ${summaries}`);
  // The score of a fact is the probability that it is right.
  const real = Math.round(lost.reduce((sum, { score }) => sum + score, 0));
  const head = [
    `${losses.length} of ${read} ${has} a summary of a compaction.${rest}`,
    `${[nowhere, counts.join(", ")].filter(Boolean).join(": ")}. ${verdicts.filter(isUnsure).length} more are perhaps there in other words.`,
    ...(lost.length > 0 ? [`The rules are sometimes wrong: about ${real} of the ${lost.length} are real facts.`] : []),
  ];
  const projectAndDay = (loss: Loss) =>
    [shortLine(loss.project, PROJECT_CHARACTERS), loss.day].filter((one) => one !== "").join(", ");
  const width = (process.stdout.columns ?? Number.POSITIVE_INFINITY) - OTHER_COLUMNS;
  const room = Math.min(FACT_CHARACTERS, width - Math.max(0, ...losses.map((loss) => projectAndDay(loss).length)));
  const short = (text: string) => shortLine(text, Math.max(FACT_CHARACTERS / 3, room));
  const row = (kind: string, quote: string, loss: Loss) => [yellow(kind), quote, dim(projectAndDay(loss))];
  const rows = mostImportant(losses, LINES).map(({ fact, loss }) =>
    row(SHOWN[fact.kind]?.[0] ?? fact.kind, `"${short(fact.quote)}"`, loss),
  );
  const commands = losses.flatMap((loss) =>
    loss.commands.slice(0, COMMANDS).map((command) => row("command", `\`${short(command)}\``, loss)),
  );
  const lines = alignedColumns([...rows, ...commands.slice(0, LINES / 3)]).map((cells) => `  ${cells.join("  ").trimEnd()}`);
  const inFiles = losses.filter(({ path }) => !path.includes("#"));
  const [one] = inFiles.sort((a, b) => b.verdicts.filter(isLost).length - a.verdicts.filter(isLost).length);
  const more = one ? ["", `All of one session:  ${ownProgram()} audit ${typed(one.path, shown)}`] : [];
  return ["", ...head, "", ...lines, ...more, ""].map((line) => `${line}\n`).join("");
}

function agentText(agents: readonly AgentHere[], shown: Shown, { bold, green }: Colours): string {
  if (agents.length === 0)
    return `Wire an agent, in its project:  ${ownProgram()} init --host ${SETUPS.map(({ name }) => name).join("|")}\n`;
  const rows = agents.map(({ setup, configured: [file] }) => [
    bold(setup.agent.title),
    file === undefined ? commandFor(setup) : green(`on, in ${shown(file)}`),
  ]);
  const lines = alignedColumns(rows).map((cells) => `  ${cells.join("  ")}\n`);
  return `To keep such facts from now on, run in a project:\n${lines.join("")}`;
}

export const commandFor = (setup: AgentHere["setup"]) =>
  "install" in setup ? setup.install() : `${ownProgram()} init --host ${setup.name} --yes`;
