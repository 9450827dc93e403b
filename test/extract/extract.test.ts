import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  builtInRules,
  compactSession,
  type Evidence,
  extract,
  type Message,
  type RuleSet,
  type Session,
} from "../../src/index.js";
import { compilePhrase } from "../../src/rules/phrase/phrase.js";
import { redact } from "../../src/rules/redact/redact.js";
import { runs } from "../runs.js";
import { sampleSession, says } from "../sample.js";

const { rules } = builtInRules();
const items = (text: string, role: "user" | "assistant" = "assistant") => extract(says(text, role), rules).continuation.items;

const saying = fc.constantFrom(
  "We decided to use SQLite.",
  "we **chose** [[Event Sourcing]] over CRUD, because audits need it",
  "- [x] wired it\n",
  "## Decisions\n\n- one table &amp; one index\n",
  "> I decided to go\n",
  "The key is sk-abcdefghijklmnop1234. ",
  "```\nwe decided\n```\n",
  "Never commit to main; please.",
  "We won’t use Redis 😀 ",
  "I've added `a.ts`.",
  "\n\n",
  "| a | b |\n|---|---|\n| we decided to go | c |\n",
  " *a_ ",
  "[[",
  "&lt;",
  "\\*",
  "é",
);
const text = fc.array(saying, { maxLength: 12 }).map((parts) => parts.join(" "));
const message = fc.record({
  role: fc.constantFrom("user" as const, "assistant" as const),
  text,
  answer: fc.option(text, { nil: undefined }),
});

test("every quote is at its place, also in a tool's answer", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (list) => {
      const messages: Message[] = list.map(({ answer, ...rest }, index) => ({
        ...rest,
        id: `m${index}`,
        toolCalls: answer === undefined ? [] : [{ name: "AskUserQuestion", input: {}, output: answer }],
      }));
      const { continuation, statements } = extract({ id: "s", format: "test", messages }, rules);
      const places: Evidence[] = continuation.items.flatMap((item) => [item.evidence, ...item.also]);
      for (const { source, start, end, quote, tool } of places) {
        const said = messages.find(({ id }) => id === source);
        const whole = redact((tool === undefined ? said?.text : said?.toolCalls[tool]?.output) ?? "", rules.redactions);
        expect(whole.slice(start, end)).toBe(quote);
        expect(quote).not.toContain("sk-abc");
      }
      expect(JSON.stringify({ continuation, statements })).not.toContain("abcdefghijklmnop1234");
    }),
    { numRuns: runs(500) },
  );
});

test("the same input gives the same bytes", () => {
  const once = JSON.stringify(extract(sampleSession(), rules));
  expect(JSON.stringify(extract(sampleSession(), builtInRules().rules))).toBe(once);
});

describe("what is prose", () => {
  test("not what a machine put into the user's mouth, nor a summary, nor a tool's output", () => {
    const message = (more: Partial<Message>): Message => ({
      id: "m",
      role: "user",
      text: "We decided to stop.",
      toolCalls: [],
      ...more,
    });
    const found = (more: Partial<Message>) =>
      extract({ id: "s", format: "test", messages: [message(more)] }, rules).continuation.items;
    expect(found({}).some(({ kind }) => kind === "decision")).toBe(true);
    expect(found({ meta: true })).toEqual([]);
    expect(found({ summary: true })).toEqual([]);
    expect(found({ role: "tool" })).toEqual([]);
    expect(found({ text: "", toolCalls: [{ name: "bash", input: {}, output: "We decided to stop." }] })).toEqual([]);
  });

  test("but the user's answer given through a tool is, and says so", () => {
    const call = { name: "AskUserQuestion", input: { question: "Which?" }, output: "We decided to stop." };
    const messages: Message[] = [
      { id: "m", role: "assistant", text: "", toolCalls: [{ name: "bash", input: {}, output: "" }, call] },
    ];
    const [item] = extract({ id: "s", format: "test", messages }, rules).continuation.items;
    expect(item).toMatchObject({ kind: "decision", by: "user", evidence: { source: "m", tool: 1, start: 0, end: 19 } });
  });

  test("the project's notes are read, and facts say that a file holds them", () => {
    const files = [{ path: "SESSION.md", text: "## Decisions\n\n- one table per tenant\n" }];
    const [item] = extract(says("Hello there."), rules, { files }).continuation.items;
    expect(item).toMatchObject({
      kind: "decision",
      by: "file",
      evidence: { source: "SESSION.md", quote: "one table per tenant" },
    });
  });
});

describe("an item", () => {
  test("carries fields, category, score, speaker and evidence", () => {
    expect(items("We chose to use Postgres for events, because JSONB is fast.")).toEqual([
      {
        kind: "decision",
        text: "use Postgres for events",
        fields: { choice: "Postgres", about: "events", reason: "JSONB is fast" },
        category: "implementation",
        score: 0.56,
        by: "assistant",
        status: "active",
        evidence: {
          source: "message",
          start: 0,
          end: 59,
          quote: "We chose to use Postgres for events, because JSONB is fast.",
          rule: "decision-made",
        },
        also: [],
      },
    ]);
  });

  test("gets the first category that matches where its rule names none", () => {
    expect(items("Never log a password.", "user").find(({ kind }) => kind === "constraint")?.category).toBe("security");
  });

  test("gets a category also where only cues or a list of options tell of it", () => {
    const messages = [
      {
        id: "m1",
        role: "assistant" as const,
        text: "Two ways:\n\n1. a queue in memory\n2. a table of jobs\n\nWhich one do you prefer?",
      },
      {
        id: "m2",
        role: "user" as const,
        text: "Let's go with option 2. Just keep the worker in one file instead of three for now.",
      },
    ];
    const found = extract({ id: "s", messages }, rules).continuation.items.filter(({ kind }) => /decision|rejection/.test(kind));
    expect(new Set(found.map(({ evidence }) => evidence.rule.split(":")[0]))).toEqual(new Set(["options", "cues"]));
    for (const { kind, category } of found) expect(category).toBe(kind === "rejection" ? "rejection" : "implementation");
  });

  test("gets the category of the nearest pack, before that of its rule", () => {
    const near = { id: "billing", of: new Set(["decision" as const]), match: [compilePhrase("(stripe|invoice)")] };
    const { items: found } = extract(says("We decided to use Stripe."), {
      ...rules,
      categories: [near, ...rules.categories],
    }).continuation;
    expect(found[0]?.category).toBe("billing");
  });

  test("has no line break in it", () => {
    expect(items("We decided to use\r\nYarn.").map(({ text: said }) => said)).toEqual(["use Yarn"]);
  });

  test("is matched on what a reader sees", () => {
    expect(items("We **decided** to _use_ `zod`.").map(({ text: said }) => said)).toEqual(["use `zod`"]);
  });

  test("is kept out by a guard around it, not by one inside it", () => {
    expect(items("If we decided to shard, ids would change.")).toEqual([]);
    expect(items("We decided to retry if we see a 503.").map(({ text: said }) => said)).toEqual(["retry if we see a 503"]);
  });
});

describe("what was replaced", () => {
  const decisions = (said: string) =>
    items(said)
      .filter(({ kind }) => kind === "decision" || kind === "rejection")
      .map(({ text: what, status }) => `${what}: ${status}`);

  test("by a later choice about the same thing", () => {
    expect(decisions("We decided to use MySQL for storage. We chose to use Postgres for storage.")).toEqual([
      "use MySQL for storage: superseded",
      "use Postgres for storage: active",
    ]);
  });
  test("by what is taken instead of it, also named without its verb", () => {
    expect(decisions("We chose to use MySQL. We're going with Redis instead of MySQL.")).toEqual([
      "use MySQL: superseded",
      "Redis: active",
    ]);
  });
  test("by the choice of what was ruled out", () => {
    expect(decisions("We ruled out Redis. We decided to use Redis for the cache.")).toEqual([
      "Redis: superseded",
      "use Redis for the cache: active",
    ]);
  });
  test("by what is taken instead of it", () => {
    expect(decisions("We are using npm for builds. Use pnpm instead of npm.")).toEqual([
      "using npm for builds: superseded",
      "pnpm: active",
    ]);
  });
  test("by its own rejection, and the other way round", () => {
    expect(decisions("We decided to use Redis. We won't use Redis.")).toEqual(["use Redis: superseded", "use Redis: active"]);
    expect(decisions("We won't use Redis. We decided to use Redis.")).toEqual(["use Redis: superseded", "use Redis: active"]);
  });
  test("but not by another matter", () => {
    expect(decisions("We decided to use MySQL for storage. We chose to use Redis for caching.")).toEqual([
      "use MySQL for storage: active",
      "use Redis for caching: active",
    ]);
  });
});

describe("what tool calls prove", () => {
  const call = (name: string, input: object, status?: string) => ({ name, input, output: "", ...(status && { status }) });
  const facts = (...toolCalls: ReturnType<typeof call>[]) =>
    extract({ id: "s", format: "test", messages: [{ id: "m", role: "assistant", text: "", toolCalls }] }, rules).continuation;

  test("a path is in one list; a failed call does not count; a call without a result does", () => {
    const { files } = facts(
      call("read", { filePath: "./a.ts" }),
      call("edit", { filePath: "a.ts" }),
      call("Read", { file_path: "b.ts" }),
      call("write", { path: "c.ts" }),
      call("edit", { path: "c.ts" }),
      call("edit", { path: "d.ts" }, "error"),
      call("edit", { path: "" }),
      call("unknown", { path: "e.ts" }),
    );
    expect(files).toEqual({ read: ["b.ts"], created: ["c.ts"], modified: ["a.ts"], deleted: [] });
  });

  test("an edit is not a creation, and what the host does not report on is unknown", () => {
    expect(facts(call("edit", { path: "a.ts" }), call("write", { path: "a.ts" })).files.modified).toEqual(["a.ts"]);
    expect(facts(call("bash", { command: ["npm", "test"] }, "running")).commands).toMatchObject([
      { command: "npm test", status: "unknown" },
    ]);
  });

  test("a command that failed and passed later is resolved", () => {
    const { commands, errors } = facts(
      call("bash", { command: "npm test" }, "error"),
      call("bash", { command: "npm test" }, "completed"),
      call("bash", { command: "make" }, "error"),
    );
    expect(commands.map(({ command, status }) => [command, status])).toEqual([
      ["npm test", "failed"],
      ["npm test", "passed"],
      ["make", "failed"],
    ]);
    expect(errors.map(({ command, resolved }) => [command, resolved])).toEqual([
      ["npm test", true],
      ["make", false],
    ]);
  });
});

describe("secrets", () => {
  const long = "abcdABCD1234+/==\n".repeat(120);
  test.each([
    ["x-api-key: abcdef1234567890", "abcdef"],
    ['"token": "abcdef1234567890abcdef"', "abcdef"],
    ["TOKEN=abcdef1234567890", "abcdef"],
    ["Authorization: token abcdefgh12345678", "abcdefgh"],
    ["curl -u admin:hunter22pass https://x.y", "hunter"],
    ["mysql --password hunter22", "hunter"],
    ["pwd=hunter22xyz", "hunter"],
    ["my password is: hunter22", "hunter"],
    ["password=`hunter22`", "hunter"],
    ["password: s3cr,et-xyz123", "xyz"],
    ['DB_PASSWORD="correct horse battery"', "horse"],
    ["postgres://u:p@ss@h/db", "p@ss"],
    [`-----BEGIN RSA PRIVATE KEY-----\n${long}-----END RSA PRIVATE KEY-----`, "ABCD"],
    ['"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQ\\nabcdefghijklmnopqrst', "MIIE"],
    [`Bearer ${"a1".repeat(600)}`, "a1a1"],
    [`eyJhbGciOiJI.${"x".repeat(1500)}.sig12`, "xxx"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijk"],
    ["AKIAABCDEFGHIJKLMNOP", "ABCDEFG"],
    ["https://h/x?access_token=abcdef123", "abcdef"],
    ["See [[sk-abcdefghijklmnop1234]]", "abcdef"],
    ["aws_secret_access_key = wJalr7XUtnFEMI/K7MDENG", "wJalr"],
    ["'password' => 'hunter22xyz'", "hunter"],
    ["password = hunter22", "hunter"],
    ["PASSPHRASE='correct horse'", "horse"],
    ["**Password:** hunter22xyz", "hunter"],
    ["the token is abcdef1234567890abcdef", "abcdef"],
    ["ENCRYPTION_KEY=a8f5f167f44f4964e6c998dee827110c", "f44f"],
    ["machine api.github.com login bob password hunter22", "hunter"],
    ["Cookie: sid=38afes7a8abcdef0123456789", "38afes"],
    ["gsk_abcdefghijklmnopqrstuvwxyz0123456789", "abcdef"],
    ["https://b.s3.amazonaws.com/k?X-Amz-Signature=0123456789abcdef", "abcdef"],
    ["echo hunter22 | docker login -u bob --password-stdin", "hunter"],
    ["<password>hunter22</password>", "hunter"],
    // A placeholder, as it seems, that goes on as none does.
    ["API_KEY=your_key_4f8a2b", "4f8a"],
    ["password=config(9f#2xk", "9f#2"],
    [`DB_PASSWORD=\${DB_PASSWORD:-hunter22}`, "hunter"],
    ["token_type=bearer&access_token=abcdef99", "abcdef"],
  ])("%s", (said, secret) => {
    const call = { name: "bash", input: { command: `run ${said}` }, output: "", status: "error" };
    const session = {
      id: "s",
      format: "test",
      messages: [{ id: "m", role: "user" as const, text: `We decided to use ${said}`, toolCalls: [call] }],
    };
    const extraction = extract(session, rules);
    expect(JSON.stringify(extraction)).not.toContain(secret);
  });

  test("are masked in paths too, wherever a path comes from", () => {
    const path = "logs/sk-abcdefghijklmnop1234.txt";
    const toolCalls = [
      { name: "read", input: { files: [{ path }] }, output: "" },
      { name: "apply_patch", input: {}, output: `A ${path}` },
      { name: "bash", input: { command: `rm ${path}2` }, output: "" },
    ];
    const { continuation } = extract(
      { id: "s", format: "test", messages: [{ id: "m", role: "assistant", text: "", toolCalls }] },
      rules,
    );
    expect(JSON.stringify(continuation)).not.toContain("abcdef");
    expect(Object.values(continuation.files).flat()).toHaveLength(2);
  });

  test.each([
    ["echo 😀bc1 | sudo -S ls", "echo █████ | sudo -S ls"],
    ["TOKENſ=abİ12345", "TOKENſ=████████"],
    ["https://me:😀İx@host", "https://me:████@host"],
  ])("are found beside unusual characters: %s", (said, masked) => {
    expect(redact(said, rules.redactions)).toBe(masked);
  });

  test("are no reason to mask plain words", () => {
    for (const said of ["Password: required.", "The token budget: 500", "Ask for the secret: later.", "tokens per second"])
      expect(redact(said, rules.redactions)).toBe(said);
  });

  test.each([
    "OPENAI_API_KEY=your_openai_api_key_here",
    'GITHUB_TOKEN="<your token 1>"',
    "ANTHROPIC_API_KEY=sk-ant-... or sk-your_openai_key_here",
    `password="$DB_PASSWORD" and DB_PASSWORD=\${DB_PASSWORD}`,
    `token: "\${{ secrets.GITHUB_TOKEN }}"`,
    'Client(api_key=os.environ["KEY"], token=get_token(user), secret=APP_SECRET)',
    "apiKey: process.env.API_KEY2, password: Joi.string().min(8).required()",
    'token_type: "Bearer"',
    "TOKENIZERS_PARALLELISM=false and tokenizer=gpt2-medium",
    '"jsonwebtoken": "^9.0.2"',
    "TOKEN_URL=https://auth.example.com/oauth2/token",
    "POSTGRES_PASSWORD_FILE=/run/secrets/db_password1",
    "maxTokens: 32_768,",
    "if token == 'root': login(name, password=password, token=token)",
    "style = { Token: '#dcdccc' }",
    "The password is 8 characters long.",
    "if not password:\n219 raise",
    `postgres://app:\${DB_PASSWORD}@db/app and postgres://app:[YOUR-PASSWORD]@db/app`,
    '{"url":"https://api.github.com","id":3836559528,"hunk":"@@ -230"}',
    'curl -H "Authorization: Bearer YOUR_GITHUB_TOKEN"',
    "mysql -u root -p$MYSQL_PASSWORD --token=$CI_TOKEN",
  ])("are not %s", (said) => {
    expect(redact(said, rules.redactions)).toBe(said);
  });

  test("are told from placeholders when a text has many of both", () => {
    const said = (secret: string) => `password=your_password_here token="${secret}" `.repeat(100);
    expect(redact(said("abcdef1234"), rules.redactions)).toBe(said("██████████"));
  });

  test("are not looked for one by one in plain words", () => {
    let looks = 0;
    const counted = rules.redactions.map((rule) => ({
      ...rule,
      regex: rule.regex.map((pattern) => ({
        ...pattern,
        get every() {
          looks++;
          return pattern.every;
        },
      })),
    }));
    const plain = "We keep the parser as it is, and its tests run first, the next ones later.";
    expect(redact(plain, counted)).toBe(plain);
    expect(looks).toBe(0);
    redact(`${plain} The password=hunter2222 is old.`, counted);
    expect(looks).toBeGreaterThan(0);
  });
});

describe("a session that a program made", () => {
  const message = { id: "1", role: "user" as const, text: "We decided to use Bun.", toolCalls: [] };
  const given = (...messages: readonly unknown[]) => ({ id: "s", format: "neutral", messages }) as unknown as Session;

  test.each<readonly [string, unknown]>([
    ["session.id must be a string", undefined],
    ["session.messages must be an array", { id: "s" }],
    ["messages[1].id must be a string", given(message, null)],
    ["messages[0].role must be user, assistant, system or tool", given({ ...message, role: "human" })],
    ["messages[1].role must be user, assistant, system or tool", given(message, { ...message, role: undefined })],
    ["messages[0].text must be a string", given({ ...message, text: 5 })],
    ["messages[0].toolCalls must be an array", given({ ...message, toolCalls: {} })],
    ["messages[0].toolCalls[0].name must be a string", given({ ...message, toolCalls: [{}] })],
    ["messages[0].toolCalls[0].output must be a string", given({ ...message, toolCalls: [{ name: "bash", output: 5 }] })],
  ])("is told what it lacks: %s", async (error, session) => {
    expect(() => extract(session as Session, rules)).toThrow(new TypeError(error));
    await expect(compactSession(session as Session, { folder: "." })).rejects.toThrow(new TypeError(error));
  });

  test("needs nothing but ids, roles and texts", () => {
    const session = {
      id: "s",
      messages: [
        { id: "1", role: "user" as const, text: "We decided to use Bun." },
        { id: "2", role: "assistant" as const, text: "I look at it.", toolCalls: [{ name: "bash" }] },
      ],
    };
    const { continuation } = extract(session, rules);
    expect(continuation.items.map(({ kind, text }) => `${kind}: ${text}`)).toContain("decision: use Bun");
  });

  test("takes the rules, not all that was loaded", () => {
    expect(() => extract(given(message), builtInRules() as unknown as RuleSet)).toThrow(
      new TypeError("these are loaded rules: pass their .rules"),
    );
    expect(() => extract(given(message), undefined as unknown as RuleSet)).toThrow(new TypeError("not a rule set"));
  });
});
