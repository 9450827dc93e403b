import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Item } from "../../src/index.js";
import { says } from "../sample.js";

const load = (name: string) => JSON.parse(readFileSync(`test/vectors/${name}.json`, "utf8"));
const { rulings } = load("rulings") as { rulings: Record<string, Record<string, string>> };
const { rules } = builtInRules();

interface Vector<T> {
  readonly id: string;
  readonly input: string;
  readonly expected: T;
  readonly note?: string;
}

describe("concepts", () => {
  // What a ruling changes, by the vector's name. c09 is called a trap, and the form that rules says how it is.
  const ruled: Readonly<Record<string, readonly string[]>> = {
    "c08-invalid-chars": ["c++", "c#", "net", "nodejs"],
    "c09-underscore": ["my-concept"],
    "c21-newline-inside": [],
    "c22-crlf-inside": [],
    "c25-unicode-cjk": ["日本語", "react"],
    "c26-unicode-accent": ["café-münster"],
    "c27-nfd": ["café"],
    "c29-fence": ["real"],
    "c30-bash-test": [],
    "c31-bash-test2": [],
    "c33-numpy-single": [],
    "c34-cpp-attr": [],
    "c35-toml": [],
    "c36-alias": ["target"],
    "c37-heading-ref": ["pagesection"],
    "c40-turkish": ["i̇stanbul"],
  };
  const { vectors } = load("concepts") as { vectors: readonly Vector<readonly string[]>[] };

  test("every ruling has its answer here", () => {
    expect(Object.keys(rulings.concepts ?? {}).filter((id) => !(id in ruled))).toEqual([]);
  });

  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (id, { input, expected }) => {
    for (const role of ["user", "assistant"] as const) {
      expect(extract(says(input, role), rules).continuation.concepts).toEqual(ruled[id] ?? expected);
    }
  });
});

describe("decisions", () => {
  interface Decision {
    readonly text: string;
    readonly category: string;
    readonly reason?: string;
    readonly instead?: string;
    readonly status?: string;
    readonly kind?: string;
  }
  const implementation = (text: string, more: Partial<Decision> = {}): Decision => ({
    text,
    category: "implementation",
    ...more,
  });
  const architecture = (text: string, more: Partial<Decision> = {}): Decision => ({ text, category: "architecture", ...more });
  const rationale = (text: string): Decision => ({ text, category: "rationale", kind: "note" });
  const nothing: readonly Decision[] = [];

  const ruled: Readonly<Record<string, readonly Decision[]>> = {
    "d04-arch-using-for": [architecture("using SQLite for local storage")],
    "d07-rationale": [rationale("it's simpler to operate")],
    "d08-rationale-short": [rationale("it's simple")],
    "d12-solution": [architecture("pin the dependency version")],
    "d13-reason-is": [rationale("the API is rate limited")],
    "d14-chose-dup": [implementation("React for the frontend layer")],
    "d15-instead-of": [architecture("Postgres", { instead: "MySQL" })],
    "d16-decided-against": [{ text: "using Redis as a queue", category: "rejection" }],
    "d19-curly": [{ text: "use Redis for this project", category: "rejection" }],
    "d20-weve": [implementation("use SQLite for storage")],
    "d21-have-decided": [implementation("move to ESM modules")],
    "d22-dedupe": [implementation("use SQLite now")],
    "d23-two-sentences": [implementation("use SQLite now"), implementation("keep the old API")],
    "d26-context200": [rationale("this sentence is long enough")],
    "d27-bullets-no-stop": [implementation("use SQLite for storage"), implementation("use Redis for caching")],
    "d28-bullets-with-stop": [implementation("use SQLite for storage"), implementation("use Redis for caching")],
    "d29-newline-cuts": [implementation("use SQLite for local storage")],
    "d30-crlf": [implementation("use SQLite for storage"), implementation("drop IE11 support")],
    "d31-abbrev": [implementation("use a small library, e.g. zod, for parsing")],
    "d32-api-chose": nothing,
    "d33-ui-picked": nothing,
    "d34-api-wont": nothing,
    "d35-since-time": nothing,
    "d36-since-version": nothing,
    "d37-code-comment": nothing,
    // Called traps: text from code and from SQL. Nothing is said there.
    "d38-import": nothing,
    "d39-sql-using": nothing,
    "d40-tool-output": [rationale("peer dependency conflict found")],
    "d41-approach-mention": nothing,
    "d42-solution-file": nothing,
    "d43-quoted-user": nothing,
    "d44-question": nothing,
    "d45-negated": nothing,
    "d46-superseded": [
      implementation("use MySQL for storage", { status: "superseded" }),
      implementation("use Postgres for storage", { status: "active" }),
    ],
    "d49-owe": nothing,
    "d50-multi-patterns": [implementation("use Bun", { reason: "it starts faster than Node" })],
    "d51-resolution": nothing,
    "d53-lone-surrogate": [implementation(`a${"😀".repeat(100)}`)],
  };
  const { vectors } = load("decisions") as { vectors: readonly Vector<readonly Decision[]>[] };

  const shown = ({ kind, text, category, fields, status }: Item) => ({
    kind,
    text,
    category,
    reason: fields.reason,
    instead: fields.instead,
    status,
  });

  test("every ruling has its answer here", () => {
    expect(Object.keys(rulings.decisions ?? {}).filter((id) => !(id in ruled))).toEqual([]);
  });

  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (id, { input, expected }) => {
    const wanted = (ruled[id] ?? expected).map(({ text, category, kind, reason, instead, status = "active" }) => ({
      kind: kind ?? (category === "rejection" ? "rejection" : "decision"),
      text,
      category,
      reason,
      instead,
      status,
    }));
    for (const role of ["user", "assistant"] as const) {
      const { items } = extract(says(input, role), rules).continuation;
      expect(items.filter(({ kind }) => ["decision", "rejection", "note"].includes(kind)).map(shown)).toEqual(wanted);
    }
  });

  test("text is cut by code point", () => {
    const [item] = extract(says(`We decided to ${"😀".repeat(200)}`), rules).continuation.items;
    expect(item?.text).toBe("😀".repeat(150));
  });
});
