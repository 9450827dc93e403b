// Neutralises tags and hidden characters, so that a text of a session or of a project cannot pass for a part of a prompt.
import { markControls } from "./forms.js";

/** Tags with which hosts and models structure their prompts. With `<` escaped, they have no effect. */
const NAMES =
  "conversation|summary|system|sys|instructions|user|human|assistant|developer|tool|function|context|environment|think|thinking|invoke";
/** Parts of prompts that are also words of code: only complete tags. */
const PARTS =
  "instruction|prompts?|tools|functions|reminders?|facts|candidates|messages|history|guidelines|rules|policy|important";
/** Tag names of several words belong to programs; every host has its own. */
const SEVERAL = "[a-z][a-z0-9]{0,40}(?:[-_:.][a-z0-9]{1,40}){1,8}";
/** Only these exact tags, so that code is not mistaken for them. */
const MARKS = "s|bos|eos|pad|unk|mask";
const OWN = "carried-facts|read-files|modified-files";

const LESS = "[<＜﹤]";
const SLASH = "\\s{0,9}[/／]?\\s{0,9}";
const END = "(?:\\s[^<>＜＞]{0,200})?[/／]?\\s{0,9}[>＞﹥]";
/** Known names with anything after them, other names only in a complete tag, and the chat templates of models. */
const TAGS = [
  `${LESS}(?=[/／]?(?:${NAMES})\\b)`,
  `${LESS}(?=${SLASH}(?:${NAMES}|${PARTS}|${SEVERAL})${END})`,
  `${LESS}(?=[/／]?(?:${MARKS})[>＞])`,
  `${LESS}(?=[|｜])`,
];
const BRACKETS = /\[(?=\s{0,9}\/?\s{0,9}(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\s{0,9}\])/giu;
const ALL_TAGS = new RegExp(TAGS.join("|"), "giu");
const OTHER_TAGS = new RegExp(`(?!</?(?:${OWN})>)(?:${TAGS.join("|")})`, "giu");

const without = (tags: RegExp, text: string) => markControls(text).replace(tags, "&lt;").replace(BRACKETS, "&#91;");

/** Neutralises an earlier summary, but keeps the tags of our own blocks. */
export const neutralSummary = (text: string) => without(OTHER_TAGS, text);

/** Neutralises a text of a session or a project: all tags of prompts, also those of our own blocks. */
export const neutralTags = (text: string) => without(ALL_TAGS, text).replace(OWN_OPEN, "&lt;");

/** Neutralises a text between frame tags: a summary, or text that was said. */
export const neutralFrame = (text: string) => neutralSummary(text).replace(FRAMES, "&lt;");

const OWN_OPEN = new RegExp(`${LESS}(?=${SLASH}(?:${OWN})\\b)`, "giu");
const FRAMES = new RegExp(`${LESS}(?=${SLASH}frames?\\b)`, "giu");
