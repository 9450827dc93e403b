// compaction trust: lets the guards of a project's packs ask and refuse. Until then, they only tell.

import { relative, resolve } from "node:path";
import { isBuiltIn } from "../../config/load-pack.js";
import { ownProgram } from "../../hosts/own-program.js";
import { digestOfPack } from "../../rules/compile/guards.js";
import type { Guard } from "../../rules/guard.js";
import { changeTrusted, readTrusted } from "../../state/spoken.js";
import { counted } from "../../text/forms.js";
import { type Arguments, inStateFolder } from "../input/arguments.js";
import { requireFolder, rulesFor } from "../input/project.js";
import { CommandError, coloursOf, EXIT, printJson, say } from "../output/terminal.js";

interface GuardingPack {
  readonly file: string;
  readonly name: string;
  readonly digest: string;
  readonly trusted: boolean;
  readonly guards: readonly Guard[];
}

export async function trust({ values, flags, positionals }: Arguments): Promise<number> {
  const folder = resolve(requireFolder(values.project ?? process.cwd()));
  if (flags.yes && flags.remove) throw new CommandError("--yes and --remove cannot be used together");
  const all = packsIn(folder);
  const unknown = positionals.find((file) => !all.some((pack) => isNamed(pack, file)));
  if (unknown !== undefined)
    throw new CommandError(`${unknown} has no guards`, all.map(({ name }) => name).join(" or ") || "no pack here has any");
  const named = all.filter((pack) => positionals.length === 0 || positionals.some((file) => isNamed(pack, file)));
  if (flags.yes || flags.remove)
    await inStateFolder(() =>
      changeTrusted((before) => {
        const gone = new Set(named.map(({ digest }) => digest));
        const others = Object.fromEntries(Object.entries(before).filter(([digest]) => !gone.has(digest)));
        const time = new Date().toISOString();
        return flags.remove
          ? others
          : { ...others, ...Object.fromEntries(named.map(({ digest, file }) => [digest, { file, time }])) };
      }),
    );
  const now = flags.yes || flags.remove ? packsIn(folder).filter(({ file }) => named.some((one) => one.file === file)) : named;
  if (flags.json) printJson({ version: 1, packs: now.map(({ guards, ...pack }) => ({ ...pack, guards: guards.map(shown) })) });
  else say(toText(now, flags.remove === true));
  return EXIT.fine;
}

const isNamed = ({ file, name }: GuardingPack, given: string) => name === given || file === resolve(given);

const shown = ({ id, does, say: sentence }: Guard) => ({ id, does, say: sentence });

function packsIn(folder: string): readonly GuardingPack[] {
  const { packs, guards, user } = rulesFor(folder);
  const trusted = readTrusted();
  return packs.packs.flatMap((pack): GuardingPack[] => {
    const digest = digestOfPack(pack);
    const own = guards.filter(({ of }) => of?.digests.includes(digest));
    if (isBuiltIn(pack) || pack.file === user?.file || own.length === 0) return [];
    const { file } = pack;
    return [{ file, name: relative(folder, file), digest, trusted: Object.hasOwn(trusted, digest), guards: own }];
  });
}

function toText(packs: readonly GuardingPack[], removed: boolean): string {
  if (packs.length === 0) return "no pack of this project has guards\n";
  const { green, yellow, bold } = coloursOf();
  const lines = packs.flatMap(({ name, trusted, guards }) => [
    `${bold(name)} ${trusted ? green("trusted") : yellow("not trusted")}: ${counted(guards.length, "guard")}${trusted ? "" : ", which may only tell"}\n`,
    ...guards.map(({ id, does, say: sentence }) => `  ${id} ${does}: ${sentence}\n`),
  ]);
  const open = packs.some(({ trusted }) => !trusted) && !removed;
  return `${lines.join("")}${open ? `\nRead them. This lets them ask and refuse, until the file changes:\n  ${ownProgram()} trust --yes\n` : ""}`;
}
