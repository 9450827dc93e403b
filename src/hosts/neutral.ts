// Text that goes into a host's prompt must not look like a part of that prompt.
import { markControls } from "../rules/controls.js";

/** Tags with which hosts mark off parts of their prompts; written out, they mark off nothing. */
const TAGS =
  /<(?=\/?(?:conversation|prior-summary|previous-summary|summary|system|system-reminder|instructions|user|assistant|tool_result)\b)/gi;

export const neutral = (text: string) => markControls(text).replace(TAGS, "&lt;");

/** The same for a text that stands between the marks of frames. */
export const neutralFrame = (text: string) => neutral(text).replace(/<(?=\/?frames?\b)/gi, "&lt;");
