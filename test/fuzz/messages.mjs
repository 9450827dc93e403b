// Messages made of what hurts whoever reads markdown without the parser.
const PIECES = [
  ..."a|b.|word |word| |  |    |é|😀|\u00a0|—|!|?|:|foo_bar|2*3|a**b**c|*x*|**y**|_z_|`code`|~|e.g. |1.|-|+|'\"|\f|\u2028".split(
    "|",
  ),
  ..."We decided to use SQLite.|We deci**ded** to use Bun because it is fast.|Next: |TODO |Let's go with [b](c).|I won't use Redis.".split(
    "|",
  ),
  "\n",
  "\n",
  "\n",
  "\n\n",
  "\n\n",
  "\r\n",
  "\r\n\r\n",
  "\r",
  "  \n",
  "\\\n",
  "   \n",
  "\t",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2. ",
  "3) ",
  "- [ ] ",
  "- [x] ",
  "  - ",
  "    - ",
  "   ",
  "> ",
  ">",
  "# ",
  "## ",
  "### b ##",
  "*",
  "**",
  "_",
  "__",
  "***",
  "`",
  "``",
  "```",
  "```\n",
  "~~~",
  "\n```\n",
  "\n    ```\n",
  "[a]",
  "[a]: x",
  "\n\n[a]: x\n\n",
  "[a](b)",
  "[`a`](b)",
  "[a](b c)",
  "![i](j)",
  "[[w]]",
  "[[w|x]]",
  "[[",
  "]]",
  "[",
  "]",
  "(",
  ")",
  "[x]",
  "[ ]",
  "&amp;",
  "&",
  "&#35;",
  "&#x2a;",
  "\\",
  "\\*",
  "<b>",
  "</b>",
  "<",
  "<http://a.b>",
  "<div>",
  "\n<div>\n",
  "<!--",
  "-->",
  "<!-- x -->",
  "<?",
  "?>",
  "<script>",
  "</script>",
  "<pre>",
  "</pre>",
  "<task>",
  "</task>",
  "\n<task>\n",
  "\n</task>\n",
  "\n    <task>\n        ",
  "\n</own-block>\n",
  "<own-block>\n",
  "\n<p>",
  "http://x.y/a_b_c",
  "|",
  "| a | b |\n|---|---|\n| c | d |",
  "---",
  "===",
  "\n---\n",
  "***\n",
  "- a\n  b\n",
  "1. a\n   b\n",
  "\n\n  para\n",
  "\n\n    code\n",
  "\n\n## Decisions\n\n",
  "\n\n## Next steps\n\n- ",
];

/** Numbers from 0 to 1, the same for the same seed everywhere. */
export function createRandom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function randomMessage(random) {
  const count = 1 + Math.floor(random() * (random() < 0.3 ? 40 : 14));
  let text = "";
  for (let index = 0; index < count; index++) text += PIECES[Math.floor(random() * PIECES.length)];
  return random() < 0.2 ? quoted(text, random) : text;
}

const QUOTES = [
  ">",
  "> ",
  "> > ",
  ">> ",
  ">>> ",
  "> >",
  ">  > ",
  " > ",
  "   >   ",
  ">    ",
  ">     ",
  "    > ",
  "",
  "- > ",
  "> - ",
];

/** The text in quotes: most lines as the one above them. */
function quoted(text, random) {
  const one = () => QUOTES[Math.floor(random() * random() * QUOTES.length)];
  let prefix = one();
  return text.replace(/^/gm, () => {
    if (random() < 0.3) prefix = one();
    return prefix;
  });
}
