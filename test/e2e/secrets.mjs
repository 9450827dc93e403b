// Secrets in the forms in which they turn up in conversations. Made up, and put together here so that no scanner trips.
import { createHash } from "node:crypto";

/** So many letters and digits, different for each seed. */
const made = (length, seed) =>
  Array.from({ length: 3 }, (_, at) => digest(`${seed}.${at}`, "base64"))
    .join("")
    .replaceAll(/[^\w]|_/g, "")
    .slice(0, length);
const upper = (length, seed) => made(length, seed).toUpperCase();
const hex = (length, seed) => digest(seed, "hex").slice(0, length);
const digest = (seed, form) => createHash("sha256").update(String(seed)).digest(form);

/** `secret` is what must not be seen, `around` how it is written. */
const form = (name, secret, around = (text) => text) => ({ name, secret, said: around(secret) });

export const secrets = [
  form("AWS access key", `${"AK"}IA${upper(16, 1)}`),
  form("AWS secret key", made(40, 2), (text) => `aws_secret_access_key=${text}`),
  form("AWS session key", `${"AS"}IA${upper(16, 3)}`),
  form("GitHub token", `${"gh"}p_${made(36, 4)}`),
  form("GitHub fine-grained token", `${"github"}_pat_${made(22, 5)}_${made(40, 6)}`),
  form("GitLab token", `${"glp"}at-${made(20, 7)}`),
  form("Slack bot token", `${"xo"}xb-${hex(12, 8)}-${made(24, 9)}`),
  form(
    "Slack webhook",
    made(24, 10),
    (text) => `https://hooks.${"slack"}.com/services/T0${upper(8, 1)}/B0${upper(8, 2)}/${text}`,
  ),
  form("Stripe key", `${"sk"}_live_${made(24, 11)}`),
  form("Stripe webhook secret", `${"wh"}sec_${made(32, 12)}`),
  form("OpenAI-like key", `${"sk"}-proj-${made(48, 13)}`),
  form("Anthropic-like key", `${"sk"}-ant-api03-${made(60, 14)}`),
  form("Google key", `${"AI"}za${made(35, 15)}`),
  form("Google client secret", `${"GOC"}SPX-${made(28, 16)}`),
  form("npm token", `${"np"}m_${made(36, 17)}`),
  form("PyPI token", `${"py"}pi-${made(80, 18)}`),
  form("SendGrid key", `${"S"}G.${made(22, 19)}.${made(43, 20)}`),
  form("Hugging Face token", `${"h"}f_${made(34, 21)}`),
  form("JWT", `${"ey"}J${made(30, 22)}.${"ey"}J${made(60, 23)}.${made(43, 24)}`),
  form(
    "private key",
    made(64, 25),
    (text) => `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${text}\n-----END RSA ${"PRIVATE"} KEY-----`,
  ),
  form("Basic header", made(28, 26), (text) => `Authorization: Basic ${text}==`),
  form("Bearer header", made(40, 27), (text) => `Authorization: Bearer ${text}`),
  form("key header", hex(32, 28), (text) => `x-api-key: ${text}`),
  form("password in a URL", made(14, 29), (text) => `https://deploy:${text}@git.example.com/app.git`),
  form("token in a URL", made(32, 30), (text) => `https://api.example.com/v1/rows?access_token=${text}&page=2`),
  form("line of .env", made(18, 31), (text) => `DATABASE_PASSWORD=${text}`),
  form("quoted line of .env", made(30, 32), (text) => `export SERVICE_TOKEN='${text}'`),
  form("Postgres connection", made(16, 33), (text) => `postgres://app:${text}@db.internal:5432/app`),
  form("MongoDB connection", made(16, 34), (text) => `mongodb+srv://app:${text}@cluster0.example.net/app`),
  form("SQL Server connection", made(16, 35), (text) => `Server=db.internal;User Id=app;Password=${text};`),
  form(
    "Azure storage connection",
    made(86, 36),
    (text) => `AccountName=app;AccountKey=${text}==;EndpointSuffix=core.example.net`,
  ),
  form("Twilio token", hex(32, 37), (text) => `TWILIO_AUTH_TOKEN=${text}`),
  form("client secret in JSON", made(32, 38), (text) => `{"client_secret": "${text}"}`),
  form("password flag", `${made(11, 39)}7`, (text) => `mysql --password=${text} app`),
  form("user of curl", made(16, 40), (text) => `curl -u admin:${text} https://example.com`),
];
