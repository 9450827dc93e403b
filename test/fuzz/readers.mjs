// Readers of sessions take anything: they read it or say what is wrong, and in pieces the same as as a whole.
import assert from "node:assert/strict";
import { needsOf } from "../../dist/extract/calls/call.js";
import { builtInRules, extract, readSession, SessionError } from "../../dist/index.js";
import { readSessionFrom } from "../../dist/source/session/read-session.js";
import { between, data, markdown, pick, times } from "./_make.mjs";

export const name = "readers";
const { rules } = builtInRules();
const needs = needsOf(rules);
const encoder = new TextEncoder();

function attempt(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof SessionError) return { refused: error.message };
    throw error;
  }
}

const outcome = (read) => {
  const found = attempt(read);
  return "refused" in found ? found : extract(found.session, rules, { notices: found.notices }).continuation;
};

function content(random) {
  const form = pick(random, ["document", "lines", "cut", "markdown"]);
  if (form === "markdown") return markdown(random);
  if (form === "document")
    return JSON.stringify({ id: "x", messages: times(random, 0, 5, () => data(random)) }, null, pick(random, [0, 2]));
  const text = times(random, 1, 6, () => JSON.stringify(data(random))).join("\n");
  return form === "lines" ? text : text.slice(0, between(random, 0, text.length));
}

export function run(random, deadline) {
  let cases = 0;
  for (; Date.now() < deadline; cases++) {
    const text = content(random);
    const bytes = encoder.encode(text);
    const size = between(random, 1, 64);
    function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const whole = outcome(() => readSession(bytes, "fuzz"));
    const pieces = outcome(() => readSessionFrom(chunks, "fuzz", needs));
    assert.deepEqual(pieces, whole, `in pieces of ${size}: ${JSON.stringify(text)}`);
  }
  return cases;
}
