// Points of seed 000 about concepts and decisions, each with an input of its own. The cases are in said.yaml.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { builtInRules, extract, type Message } from "../../src/index.js";

interface Case {
  readonly point: string;
  readonly title: string;
  readonly says: readonly string[];
  readonly choices?: readonly string[];
  readonly contains?: readonly string[];
  readonly ended?: readonly string[];
  readonly count?: number;
  readonly reasons?: readonly string[];
  readonly concepts?: readonly string[];
}
const cases = parse(readFileSync("test/spec/said.yaml", "utf8")) as readonly Case[];
const { rules } = builtInRules();
const USER = "user: ";

function found(says: readonly string[]) {
  const lines = [`${USER}Please build the service as planned.`, ...says, "Noted."];
  const messages = lines.map((line, at): Message => {
    const typed = line.startsWith(USER);
    return { id: `m${at}`, role: typed ? "user" : "assistant", text: typed ? line.slice(USER.length) : line, toolCalls: [] };
  });
  const { items, concepts } = extract({ id: "s", format: "test", messages }, rules).continuation;
  const choices = items.filter(({ kind, evidence }) => /decision|rejection/.test(kind) && evidence.source !== "m0");
  const textsOf = (active: boolean) => choices.filter(({ status }) => (status === "active") === active).map(({ text }) => text);
  const reasons = items.flatMap(
    ({ kind, fields, text }) => fields.reason ?? (kind === "note" && fields.category === "rationale" ? text : []),
  );
  return { active: textsOf(true), ended: textsOf(false), reasons, concepts };
}

test.each(cases.map((one) => [one.point, one.title, one] as const))("%s: %s", (_point, _title, one) => {
  const { active, ended, reasons, concepts } = found(one.says);
  if (one.choices) expect(active).toEqual(one.choices);
  if (one.count !== undefined) expect(active).toHaveLength(one.count);
  if (one.reasons) expect(reasons).toEqual(one.reasons);
  if (one.concepts) expect(concepts).toEqual(one.concepts);
  for (const part of one.contains ?? []) expect(active.join("\n")).toContain(part);
  for (const part of one.ended ?? []) {
    expect(ended.join("\n")).toContain(part);
    const left = active.filter(
      (text) => ![...(one.contains ?? []), ...(one.choices ?? [])].some((known) => text.includes(known)),
    );
    expect(left.join("\n")).not.toContain(part);
  }
});
