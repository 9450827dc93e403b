// Tags in what was said cannot pass for a part of the prompt that quotes it.
import { expect, test } from "vitest";
import { neutral } from "../../src/hosts/neutral.js";

test.each(["instruction", "prompt", "tools", "reminder", "facts", "candidates"])(
  "takes the effect of <%s> in a conversation",
  (name) => {
    expect(neutral(`a <${name}>b</${name}> <${name} id="1">`)).not.toContain(`<${name}`);
    expect(neutral(`</${name}>`)).toBe(`&lt;/${name}>`);
  },
);

test("leaves types and comparisons as they are", () => {
  expect(neutral("Map<string, Fact> and a < b")).toBe("Map<string, Fact> and a < b");
});

test("leaves the placeholders of a workflow's command, also where its sentence is cut", () => {
  const command = "`.codex/scripts/harness.sh spec gate <spec-name> <task-id>`";
  expect(neutral(`Gate: declared task gates pass via ${command} …`)).toContain(command);
});
