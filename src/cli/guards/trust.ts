// compaction trust: lets the guards of a project's packs ask and refuse. Until then, they only tell.

import { relative, resolve } from "node:path";
import { digestOfPack, reachOf } from "../../config/extended-packs.js";
import { isBuiltIn } from "../../config/load-pack.js";
import type { LoadedPack } from "../../config/pack.js";
import { ownProgram } from "../../hosts/own-program.js";
import type { Guard } from "../../rules/guard.js";
import { loadTrusted } from "../../rules/load-rules.js";
import { changeTrusted, readTrusted } from "../../state/spoken.js";
import { counted, digestOf } from "../../text/forms.js";
import { type Arguments, inStateFolder } from "../input/arguments.js";
import { requireFolder, rulesFor } from "../input/project.js";
import { masked } from "../output/report.js";
import { ask, CommandError, coloursOf, EXIT, printJson, say } from "../output/terminal.js";

interface GuardingPack {
  readonly file: string;
  readonly name: string;
  /** Of the file and of all that it extends. */
  readonly digest: string;
  readonly trusted: boolean;
  readonly guards: readonly Guard[];
  /** The files that it extends, and what decides when its guards speak: a map of the packs, and the ids in it. */
  readonly extends: readonly string[];
  readonly decides: Readonly<Record<string, readonly string[]>>;
}

export async function trust({ values, flags, positionals }: Arguments, question = ask): Promise<number> {
  const folder = resolve(requireFolder(values.project ?? process.cwd()));
  if (flags.yes && flags.remove) throw new CommandError("--yes and --remove cannot be used together");
  const named = () => namedPacks(packsIn(folder), positionals);
  const packs = named();
  if (flags.yes && !(await isAgreed(packs, values.digest, question, named))) return EXIT.fine;
  if (flags.yes || flags.remove)
    await inStateFolder(() => changeTrusted((before) => changed(before, packs, flags.remove === true)));
  const now = packs.map((pack) => ({ ...pack, trusted: flags.yes || (!flags.remove && pack.trusted) }));
  if (flags.json)
    printJson({
      version: 1,
      digest: digestOfAll(now),
      packs: now.map(({ guards, file, ...pack }) => ({ file: masked(file), ...pack, guards: guards.map(shown) })),
    });
  else say(toText(now, flags.remove === true));
  return EXIT.fine;
}

/** Trust is for what the user has seen, not for what is there by now. Without a terminal, the digest shows that somebody has. */
async function isAgreed(
  packs: readonly GuardingPack[],
  digest: string | undefined,
  question: typeof ask,
  again: () => readonly GuardingPack[],
): Promise<boolean> {
  if (packs.length === 0) return true;
  const hint = `${ownProgram()} trust prints what is there now, and its digest`;
  if (digest !== undefined) {
    if (digest === digestOfAll(packs)) return true;
    throw new CommandError("this is not the digest of the packs as they are now, so nothing is trusted", hint);
  }
  const asked = `${toText(packs, true)}\nLet these guards ask and refuse, until a file changes? [y/N] `;
  const answer = await question(asked);
  if (answer === undefined) throw new CommandError("--yes needs --digest where nobody can be asked", hint);
  if (digestOfAll(again()) !== digestOfAll(packs))
    throw new CommandError("the packs were changed after they were shown, so nothing is trusted", hint);
  return /^\s*y/i.test(answer);
}

const digestOfAll = (packs: readonly GuardingPack[]) => digestOf(packs.map(({ digest }) => digest).join(" "), 16);

type Trusted = ReturnType<typeof readTrusted>;

function changed(before: Trusted, packs: readonly GuardingPack[], isRemoved: boolean): Trusted {
  const gone = new Set(packs.map(({ digest }) => digest));
  const others = Object.entries(before).filter(([digest]) => !gone.has(digest));
  const time = new Date().toISOString();
  return Object.fromEntries([
    ...others,
    ...(isRemoved ? [] : packs.map(({ digest, file }) => [digest, { file: masked(file), time }] as const)),
  ]);
}

function namedPacks(all: readonly GuardingPack[], files: readonly string[]): readonly GuardingPack[] {
  const unknown = files.find((file) => !all.some((pack) => isNamed(pack, file)));
  if (unknown !== undefined)
    throw new CommandError(`${unknown} has no guards`, all.map(({ name }) => name).join(" or ") || "no pack here has any");
  return all.filter((pack) => files.length === 0 || files.some((file) => isNamed(pack, file)));
}

const isNamed = ({ file, name }: GuardingPack, given: string) => name === given || file === resolve(given);

const shown = ({ id, does, say: sentence }: Guard) => ({ id: masked(id), does, say: sentence });

/** What decides when a guard speaks. */
const DECIDING = ["signals", "words", "tools", "shell"] as const;

function packsIn(folder: string): readonly GuardingPack[] {
  const { packs, user } = rulesFor(folder);
  const trusted = readTrusted();
  const foreign = packs.packs.filter((pack) => !isBuiltIn(pack) && pack.file !== user?.file);
  const nameOf = ({ file }: LoadedPack) => masked(relative(folder, file));
  return foreign.flatMap((pack): GuardingPack[] => {
    if (Object.keys(pack.body.guards ?? {}).length === 0) return [];
    const digest = digestOfPack(pack, foreign);
    // As they are if nothing else of the project is trusted.
    const guards = loadTrusted(folder, (one) => one === digest)?.guards.filter(({ of }) => of) ?? [];
    if (guards.length === 0) return [];
    const reached = reachOf(pack, foreign);
    const decides = DECIDING.map(
      (map) => [map, reached.flatMap(({ body }) => Object.keys(body[map] ?? {}).map(masked))] as const,
    );
    return [
      {
        ...{ file: pack.file, name: nameOf(pack), digest, trusted: Object.hasOwn(trusted, digest), guards },
        extends: reached.filter((one) => one !== pack).map(nameOf),
        decides: Object.fromEntries(decides.filter(([, ids]) => ids.length > 0)),
      },
    ];
  });
}

function toText(packs: readonly GuardingPack[], isAnswered: boolean): string {
  if (packs.length === 0) return "no pack of this project has guards\n";
  const { green, yellow, bold } = coloursOf();
  const lines = packs.flatMap(({ name, trusted, guards, decides, ...pack }) => [
    `${bold(name)} ${trusted ? green("trusted") : yellow("not trusted")}: ${counted(guards.length, "guard")}${trusted ? "" : ", which may only tell"}\n`,
    ...guards.map(shown).map(({ id, does, say: sentence }) => `  ${id} ${does}: ${sentence}\n`),
    ...(pack.extends.length > 0 ? [`  with ${pack.extends.join(", ")}\n`] : []),
    ...Object.entries(decides).map(([map, ids]) => `  with its ${map}: ${ids.join(", ")}\n`),
  ]);
  const open = packs.some(({ trusted }) => !trusted) && !isAnswered;
  const command = `${ownProgram()} trust --yes --digest ${digestOfAll(packs)}`;
  return `${lines.join("")}${open ? `\nRead them. This lets them ask and refuse, until a file changes:\n  ${command}\n` : ""}`;
}
