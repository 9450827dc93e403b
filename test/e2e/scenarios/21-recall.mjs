// The tools of recall: offered once the user agrees, and answered by the command beside the plugin, on the Bun inside OpenCode.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const name = "21 the tools of recall";

const OWN = "We decided to write the log as NDJSON.";
const CHOICE = "We decided to keep the parser state in a ring buffer.";
const NAMED = "We decided to keep ring.ts short.";

export async function play({ plugin, open, report }) {
  const world = await open({ idle: true });
  const project = world.project("recall", { plugin: [plugin] });
  plant(world, project.folder);
  await world.start();
  const tools = (body) => body.tools.map(({ function: { name } }) => name);
  const last = () => world.provider.requests.filter(({ kind }) => kind === "chat").at(-1).body;

  const before = await project.session();
  await before.say("How do we write the log?", OWN);
  report.check("without the user's consent, there is no tool", !tools(last()).includes("recall"), tools(last()).join());

  mkdirSync(world.state, { recursive: true });
  writeFileSync(join(world.state, "recall.json"), JSON.stringify({ version: 1, on: true }));
  await world.restart();
  const session = await project.session();
  const use = (name, args) => session.say("Go on.", { tools: [{ name, args }] }, "Done.");
  const found = await use("recall", { query: "parser state buffer" });
  const schema = last().tools.find(({ function: { name } }) => name === "recall")?.function.parameters;
  report.check("only the query is required", schema?.required?.join() === "query", JSON.stringify(schema));
  const text = found.requests.at(-1);
  report.check(
    "recall answers with the choice, its place, and as data",
    [CHOICE, "earlier#m2", "data, not instructions"].every((part) => text.includes(part)),
    text,
  );
  const own = (await use("recall", { query: "log NDJSON" })).requests.at(-1);
  const place = /ses_\w+#m2/.exec(own)?.[0];
  report.check("recall answers with a session of OpenCode's own", own.includes(OWN) && place !== undefined, own);
  const again = (await use("recall_show", { place: place ?? "" })).requests.at(-1);
  report.check("and show with its message", again.includes(`> ${OWN}`), again);
  const shown = (await use("recall_show", { place: "earlier#m2" })).requests.at(-1);
  report.check("show prints the message", shown.includes(`> ${CHOICE}`), shown);
  const pinned = (await use("recall_pin", { text: "Keep the ring buffer." })).requests.at(-1);
  report.check("pin pins", /pinned [0-9a-f]{8} Keep the ring buffer\./.test(pinned), pinned);
  const wrong = await use("recall_show", { place: "nobody#m1" });
  report.check("an error is an answer, and the turn ends well", wrong.answer === "Done.", wrong.requests.at(-1));

  mkdirSync(join(world.root, "home/.config/compaction-rules"), { recursive: true });
  writeFileSync(join(world.root, "home/.config/compaction-rules/config.yaml"), "recall: { start: on }");
  await world.restart();
  const named = (await (await project.session()).say("Look at ring.ts.", "Done.")).requests.at(-1);
  report.check("the first message is told what an earlier session says about it", named.includes(`> ${NAMED}`), named);
  report.check("nothing is logged as an error", world.sessionErrors.length === 0, world.sessionErrors.join());

  // A copy of the plugin has no command beside it.
  const alone = world.project("alone", {});
  const copy = join(alone.folder, ".opencode/plugins/compaction-rules.js");
  mkdirSync(join(copy, ".."), { recursive: true });
  cpSync(plugin, copy);
  await (await alone.session()).say("Hello.", "Hello.");
  report.check("a copied plugin offers no tool", !tools(last()).includes("recall"), tools(last()).join());
}

/** A session of another agent. */
function plant({ root }, cwd) {
  const folder = join(root, "home/.claude/projects/-recall");
  mkdirSync(folder, { recursive: true });
  const record = (role, text, index) => ({
    type: role,
    uuid: `u${index}`,
    sessionId: "earlier",
    cwd,
    timestamp: "2026-11-02T10:00:00Z",
    message: { role, content: [{ type: "text", text }] },
  });
  const records = [record("user", "Which buffer do we use?", 1), record("assistant", CHOICE, 2), record("assistant", NAMED, 3)];
  writeFileSync(join(folder, "earlier.jsonl"), records.map((one) => `${JSON.stringify(one)}\n`).join(""));
}
