// Puts a page together: one file that needs nothing else.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { PageData } from "../../page/data.js";
import { markControls, oneLine } from "../../text/forms.js";

const part = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const packed = (json: string) => gzipSync(json).toString("base64");
const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * The policy lets nothing run but the programs of the page, and nothing be fetched but from the server of a playground. The data
 * is compressed, so that no text of a session is ever part of the page's markup.
 */
export function toHtml(data: PageData): string {
  const scripts = [...(data.play ? [part("page/editor.js")] : []), part("page/page.js")];
  const style = part("page/page.css");
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(" ")}`,
    `style-src ${hash(style)}${data.play ? ` 'nonce-${data.play.nonce}'` : ""}`,
    ...(data.play ? ["connect-src 'self'", "img-src data:"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(markControls(oneLine(data.session.id || data.project)))} · compaction</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript. It runs only what is in this file, and fetches nothing.</noscript></div>
<script type="text/plain" id="built-in">${packed(builtIn())}</script>
<script type="text/plain" id="data">${packed(JSON.stringify(data))}</script>
${scripts.map((text) => `<script>${text}</script>`).join("\n")}
</body>
</html>
`;
}

/** The built-in packs, as the build prepared them: modules of the library, each with one value in JSON. */
function builtIn(): string {
  const values = ["prepared", "phrases", "texts", "templates"].map((name) => {
    const module = part(`config/data/${name}.js`);
    return `"${name}":${module.slice("export default ".length, -1)}`;
  });
  return `{${values.join()}}`;
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (unit) => `&#${unit.charCodeAt(0)};`);
