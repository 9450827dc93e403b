// Text that goes into a host's prompt must not look like a part of that prompt.
import { markControls } from "../rules/controls.js";

/** Tags with which hosts mark off parts of their prompts; written out, they mark off nothing. */
const TAGS =
  /<(?=\/?(?:conversation|prior-summary|previous-summary|summary|system|system-reminder|instructions|user|assistant|tool_result)\b)/gi;
/** Those of this program, behind summaries. */
const OWN_TAGS = /<(?=\/?(?:carried-facts|read-files|modified-files)\b)/gi;

/** For an earlier summary, which has parts of its own. */
export const neutralSummary = (text: string) => markControls(text).replace(TAGS, "&lt;");

/** For what was said in a session. */
export const neutral = (text: string) => neutralSummary(text).replace(OWN_TAGS, "&lt;");

/** For a text that stands between the marks of frames, a summary or what was said. */
export const neutralFrame = (text: string) => neutralSummary(text).replace(/<(?=\/?frames?\b)/gi, "&lt;");
