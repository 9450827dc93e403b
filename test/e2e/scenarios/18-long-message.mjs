// A message of 2 MB: OpenCode answers others while its session is compacted.
export const name = "18 a long message";
export const alone = true;

/** A busy machine must not decide it. Without pauses it was a minute and more. */
const MOST_MILLISECONDS = 5_000;

export async function play({ plugin, open, report }) {
  const world = await open();
  const line = (index) => `Never use module ${index} for the tests of part ${index % 7}.\n`;
  const text = Array.from({ length: 40_000 }, (_, index) => line(index)).join("");
  const held = {};
  for (const [how, plugins] of [
    ["without the plugin", []],
    ["with it", [plugin]],
  ]) {
    const project = world.project(how.replaceAll(" ", "-"), { plugin: plugins });
    const session = await project.session();
    await session.say("Always use pnpm, never npm.", "Fine.");
    await session.say(text, "Fine.");
    await session.say("We decided to use SQLite for the cache.", "Fine.");
    const waits = [];
    let compacted = false;
    const watching = (async () => {
      while (!compacted) {
        const start = performance.now();
        await project.ask("GET", "/config");
        waits.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await session.compact();
    compacted = true;
    await watching;
    held[how] = Math.round(Math.max(...waits));
    report.figure(`${(text.length / 1e6).toFixed(1)} MB, ${how}: the longest wait for an answer is ${held[how]} ms`);
    const { requests, answer } = await session.say("Go on.", "Going on.");
    report.check(`${how}: the session goes on`, answer.includes("Going on."), answer);
    if (plugins.length > 0) report.check("what stands around it is known", requests[0].includes("pnpm"));
  }
  const longest = held["with it"];
  report.check("others are answered meanwhile", longest < MOST_MILLISECONDS + held["without the plugin"], `${longest} ms`);
}
