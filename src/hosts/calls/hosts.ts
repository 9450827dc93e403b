// The agents that start a command at a tool call. Apart from the other lists, because this one must load fast.
import { claudeCodeCalls } from "../claude-code/calls.js";
import type { CallHost } from "./answer-call.js";

export const CALL_HOSTS: readonly CallHost[] = [claudeCodeCalls];
