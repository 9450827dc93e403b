// Guards speak in a real OpenCode: told behind the result, refused, allowed by the user's word. Nothing of them ever stops a turn.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command, FILES, FORCED, FROZEN, LOCKED, PRIVATE, UNTRUSTED } from "../../agents/guarded.mjs";

export const name = "24 guards";

const write = (filePath, content = "x\n") => ({ tools: [{ name: "write", args: { filePath, content } }] });
const bash = (line) => ({ tools: [{ name: "bash", args: { command: line, description: "run it" } }] });
const READ_KEY = bash("cat keys/a.txt");

const HANGING = `import plugin from PLUGIN;
const never = () => new Promise(() => {});
const over = (of, key, value) => new Proxy(of, { get: (all, name) => (name === key ? value : (all[name]?.bind?.(all) ?? all[name])) });
export const Hanging = (input) => {
  const client = over(input.client, "session", over(input.client.session, "messages", never));
  return plugin.server({ ...input, client }, { deadline: 1000 });
};
`;

export async function play({ plugin, open, report }) {
  const world = await open();
  const { environment } = world;
  const make = (name, files = FILES) => world.project(name, { plugin: [plugin], files });
  const trust = ({ folder }) => {
    const { digest } = JSON.parse(command(folder, environment, "trust", "--json"));
    command(folder, environment, "trust", "--yes", "--digest", digest);
  };
  /** Plays one call, and returns what the model reads behind it. */
  const behind = async (session, text, reply) => {
    const { requests, answer } = await session.say(text, reply, "Done.");
    report.check(`${text}: the turn ends well`, answer.includes("Done."), answer);
    return requests.at(-1)?.slice(-1_500) ?? "";
  };

  const project = make("trusted");
  trust(project);
  const there = (file) => existsSync(join(project.folder, file));
  const session = await project.session();
  const told = await behind(session, "Write the lock.", write(join(project.folder, "a.lock")));
  report.check("told: the call runs", there("a.lock"));
  report.check("told: the sentence is behind the result", told.includes(LOCKED), told);
  const first = await behind(session, "Write the file.", write(join(project.folder, "src/legacy/a.ts")));
  report.check("once: the first call is refused with the reason", first.includes(FROZEN) && !there("src/legacy/a.ts"), first);
  await behind(session, "Write it again.", write(join(project.folder, "src/legacy/a.ts")));
  report.check("once: the second one runs", there("src/legacy/a.ts"));
  const pushed = await behind(session, "Push it.", bash("cd src && git push --force origin main"));
  report.check("ask: the call is refused with the sentence", pushed.includes(FORCED), pushed);
  const refused = await behind(session, "Show the key.", READ_KEY);
  report.check("refuse: the call does not run", refused.includes(PRIVATE) && !refused.includes("the key\n"), refused);
  const allowed = await behind(session, "You may read the keys folder.", READ_KEY);
  report.check("the user's word: the call runs", allowed.includes("the key"), allowed);
  await session.command("pin", "Never touch docs. --on 'edit:docs/**' --then refuse", "Pinned.");
  await behind(session, "Write the docs.", write(join(project.folder, "docs/a.md")));
  report.check("a pin with a guard refuses at once", !there("docs/a.md"));

  const clone = make("clone", { ...FILES, "team.yaml": `# another one\n${FILES["team.yaml"]}` });
  const own = await clone.session();
  const foreign = await behind(own, "Show the key here.", READ_KEY);
  report.check("a clone without trust: the call runs", foreign.includes("the key"), foreign);
  report.check(
    "a clone without trust: it is told who says it",
    foreign.includes(UNTRUSTED) && foreign.includes(PRIVATE),
    foreign,
  );

  const broken = make("broken", { ...FILES, "team.yaml": "compaction: 1\nname: team\nguards: [" });
  const free = await behind(await broken.session(), "Show the key anyway.", READ_KEY);
  report.check("a broken pack: the call runs", free.includes("the key") && !free.includes(PRIVATE), free);

  // A plugin whose host never answers.
  const file = join(project.folder, "hanging.mjs");
  writeFileSync(file, HANGING.replace("PLUGIN", JSON.stringify(plugin)));
  const hanging = world.project("hanging", { plugin: [file], files: FILES });
  const start = performance.now();
  const late = await behind(await hanging.session(), "Show the key in time.", READ_KEY);
  report.check("a host that hangs: the call runs", late.includes("the key"), late);
  const seconds = (performance.now() - start) / 1_000;
  report.check("a host that hangs: it takes a few seconds at most", seconds < 15, seconds);
}
