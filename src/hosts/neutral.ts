// Text that goes into a host's prompt must not look like a part of that prompt.
import { markControls } from "../rules/controls.js";

/** Names of tags with which hosts and models mark off parts of their prompts; written out, they mark off nothing. */
const NAMES =
  "conversation|summary|system|sys|instructions|user|human|assistant|developer|tool|function|context|environment|think|thinking|invoke";
/** Names of several words are those of programs: hosts have many, and each its own. */
const SEVERAL = "[a-z][a-z0-9]{0,40}(?:[-_:.][a-z0-9]{1,40}){1,8}";
/** Nothing but these, so that no code is taken for them. */
const MARKS = "s|bos|eos|pad|unk|mask";
const OWN = "carried-facts|read-files|modified-files";

const LESS = "[<＜﹤]";
const SLASH = "\\s{0,9}[/／]?\\s{0,9}";
const END = "(?:\\s[^<>＜＞]{0,200})?[/／]?\\s{0,9}[>＞﹥]";
/** A known name, whatever comes behind it; any other only in a tag that is closed, and the chat templates of models. */
const TAGS = [
  `${LESS}(?=[/／]?(?:${NAMES})\\b)`,
  `${LESS}(?=${SLASH}(?:${NAMES}|${SEVERAL})${END})`,
  `${LESS}(?=[/／]?(?:${MARKS})[>＞])`,
  `${LESS}(?=[|｜])`,
];
const BRACKETS = /\[(?=\s{0,9}\/?\s{0,9}(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\s{0,9}\])/giu;
const ALL_TAGS = new RegExp(TAGS.join("|"), "giu");
const OTHER_TAGS = new RegExp(`(?!</?(?:${OWN})>)(?:${TAGS.join("|")})`, "giu");

const without = (tags: RegExp, text: string) => markControls(text).replace(tags, "&lt;").replace(BRACKETS, "&#91;");

/** For an earlier summary, which has parts of its own. */
export const neutralSummary = (text: string) => without(OTHER_TAGS, text);

/** For what was said in a session. */
export const neutral = (text: string) => without(ALL_TAGS, text).replace(OWN_OPEN, "&lt;");

/** For a text that stands between the marks of frames, a summary or what was said. */
export const neutralFrame = (text: string) => neutralSummary(text).replace(FRAMES, "&lt;");

const OWN_OPEN = new RegExp(`${LESS}(?=${SLASH}(?:${OWN})\\b)`, "giu");
const FRAMES = new RegExp(`${LESS}(?=${SLASH}frames?\\b)`, "giu");
