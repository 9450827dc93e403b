// What scenarios of frames share: calls of the tools, the stored tree, and waiting for it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readable } from "./summariser.mjs";

export const push = (goal) => ({ tools: [{ name: "frame_push", args: { goal } }] });
export const pop = (status, more = {}) => ({ tools: [{ name: "frame_pop", args: { status, ...more } }] });
export const write = (filePath, content) => ({ tools: [{ name: "write", args: { filePath, content } }] });

/** A configuration that switches frames on. */
export const on = (settings = true) => ({ ".compactionrc": `frames: ${JSON.stringify(settings)}\n` });

/** The frames of the tree whose root is the session. */
export function framesOf(world, session) {
  const file = join(world.state, `frames-${session.id}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).frames : [];
}

export const frameBy = (world, session, goal) => framesOf(world, session).find((frame) => frame.goal.includes(goal));

export async function until(holds, seconds = 20) {
  const end = Date.now() + seconds * 1_000;
  while (!holds()) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

/** Everything the model could read in the requests since then, by kind. */
export const readSince = (world, from, kind) =>
  world.provider.requests
    .slice(from)
    .filter((request) => request.kind === kind)
    .map(({ body }) => readable(body));

export const lockFiles = (world) => readdirSync(world.state).filter((name) => /\.(?:lock|draft)$/.test(name));
