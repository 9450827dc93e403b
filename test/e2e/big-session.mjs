// An export of a long session, as `opencode import` takes it.

const MODEL = { providerID: "scripted", modelID: "model" };
const WORDS = "tariff ledger batch cursor invoice retry queue schema index worker parser quota bucket column".split(" ");
const TOOLS = ["read", "bash", "edit"];

/** 1,000 messages and about 4.5 MB unless told otherwise. */
export function bigSession(folder, { turns = 200, calls = 3, outputBytes = 8_800, mark = "A" } = {}) {
  const sessionID = `ses_${"0".repeat(12)}Big${mark}SessionOfTest`.slice(0, 30);
  let count = 0;
  // OpenCode sorts by identifier: these sort before those of messages that come later.
  const identifier = (prefix) => `${prefix}_${(0x100000 + ++count).toString(16).padStart(12, "0")}${mark.repeat(14)}`;
  let time = Date.now() - turns * 60_000;
  const filler = (length) => {
    let text = "";
    for (let at = count; text.length < length; at++)
      text += `${WORDS[(at * 5 + count) % WORDS.length]}${at % 11 === 0 ? "\n" : " "}`;
    return text.slice(0, length);
  };
  const messages = [];
  const add = (info, ...parts) => {
    const id = identifier("msg");
    time += 1_000;
    const place = { sessionID, messageID: id };
    messages.push({
      info: {
        id,
        sessionID,
        agent: "build",
        ...info,
        time: { created: time, ...(info.role === "assistant" && { completed: time }) },
      },
      parts: parts.map((part) => ({ id: identifier("prt"), ...place, ...part })),
    });
    return id;
  };
  for (let turn = 0; turn < turns; turn++) {
    const text = `Change module m${turn}. The module m${turn} must keep at most ${turn + 10} rows. ${filler(200)}`;
    const parentID = add({ role: "user", model: MODEL }, { type: "text", text });
    for (let step = 0; step <= calls; step++) {
      const last = step === calls;
      add(
        assistantInfo(parentID, folder, last),
        {
          type: "text",
          text: last ? `We decided to use option ${turn} for m${turn}.` : `Step ${step} of m${turn}.`,
          time: { start: time, end: time },
        },
        ...(last ? [] : [toolPart(turn, step, folder, filler(outputBytes), time)]),
      );
    }
  }
  const info = {
    id: sessionID,
    slug: "big",
    projectID: "big",
    directory: folder,
    title: "A big session",
    version: "1.18.18",
    time: { created: time, updated: time },
  };
  return { info, messages };
}

const assistantInfo = (parentID, folder, last) => ({
  role: "assistant",
  parentID,
  mode: "build",
  path: { cwd: folder, root: folder },
  cost: 0,
  tokens: { input: 1_000, output: 100, reasoning: 0, cache: { read: 0, write: 0 } },
  ...MODEL,
  finish: last ? "stop" : "tool-calls",
});

function toolPart(turn, step, folder, output, time) {
  const tool = TOOLS[step % TOOLS.length];
  const filePath = `${folder}/src/m${turn}.ts`;
  const input = {
    read: { filePath },
    bash: { command: `npm test -- m${turn}`, description: "tests it" },
    edit: { filePath, oldString: "a", newString: "b" },
  }[tool];
  const metadata = tool === "bash" ? { exit: turn % 5 === 0 ? 1 : 0, output: "" } : {};
  const state = {
    status: "completed",
    input,
    output: tool === "edit" ? "Edit applied successfully." : output,
    title: tool,
    metadata,
  };
  return { type: "tool", callID: `call-${turn}-${step}`, tool, state: { ...state, time: { start: time, end: time + 10 } } };
}
