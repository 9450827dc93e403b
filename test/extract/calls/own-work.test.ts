import { expect, test } from "vitest";
import { builtInRules, extract, type Session } from "../../../src/index.js";

const { rules } = builtInRules();

/** What the user wants of the agent, of a reply in the middle of a session. */
function wantedIn(text: string) {
  const texts = ["Add a cache to the search.", "Should I run the tests too?", text, "OK."];
  const session: Session = {
    id: "s",
    format: "test",
    messages: texts.map((one, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text: one, toolCalls: [] })),
  };
  return extract(session, rules).continuation.items.flatMap((item) =>
    ["decision", "rejection", "constraint", "remaining"].includes(item.kind) && item.evidence.source === "m2" ? [item.text] : [],
  );
}

test.each([
  "I'll do the testing.",
  "ok, I'll take care of the deployment",
  "I will rename the columns myself.",
  "Thanks, I'll merge it after lunch.",
  "I won't touch the code today.",
  "I'm not going to merge this today.",
  "I can run the migration tonight.",
  "Let me check with the team first.",
  "I still need to get the credentials from ops.",
  "I'll keep you posted.",
  "I'd rather do the testing myself.",
  "I would prefer to use the old script myself.",
  "Leave the testing to me.",
])("what the user does is no work of the agent's: %j", (text) => {
  expect(wantedIn(text)).toEqual([]);
});

test.each([
  ["I'll take the second one.", "take the second one"],
  ["I'll go with option 2.", "option 2"],
  ["I won't use Redis here.", "use Redis here"],
  ["We'll keep the old endpoint.", "keep the old endpoint"],
  ["I'd rather keep the old endpoint.", "rather keep the old endpoint"],
])("choosing is: %j", (text, chosen) => {
  expect(wantedIn(text)).toEqual([chosen]);
});

test.each([
  "I'll do the testing, you fix the importer.",
  "I'd like to explain the issue briefly and then show the solution.",
  "I don't want you to push to main.",
])("no part of %j is told without its subject", (text) => {
  expect(wantedIn(text).filter((wanted) => wanted !== text.replace(/\.$/, ""))).toEqual([]);
});

test.each([
  "It is not true that we decided to use Redis.",
  "I never said we go with Redis.",
  "You said we always rebuild the index on start.",
  "Nobody said we agreed to drop the old endpoint.",
  "I doubt we should use Redis.",
  "We haven't decided to use Redis.",
  "Nobody decided to use Redis.",
])("what was not said is not decided: %j", (text) => {
  expect(wantedIn(text)).toEqual([]);
});
