// compaction hook AGENT --call: answers the event before a tool call. It loads only prepared guards, and hands over to the command
// if they are not there or do not suffice.
import { readSync, writeSync } from "node:fs";
import { answerCall, type CallEvent } from "../../hosts/calls/answer-call.js";
import { CALL_HOSTS } from "../../hosts/calls/hosts.js";
import { CHUNK_BYTES, EVENT_BYTES } from "../../limits.js";
import { parseJson } from "../../text/json.js";

/** @returns whether it is answered */
export function answerFast([command, name, option]: readonly string[]): boolean {
  const host = command === "hook" && option === "--call" ? CALL_HOSTS.find((one) => one.name === name) : undefined;
  if (!host) return false;
  try {
    const event = readEvent();
    const text = event && answerCall(host, event, process.env);
    if (text === undefined) {
      passEvent(event);
      return false;
    }
    if (text !== "") writeSync(1, text);
  } catch {
    // The call runs.
  }
  return true;
}

/** The agent may leave standard input open, so read until the event is complete. If it never is, the agent ends this process. */
function readEvent(): CallEvent | undefined {
  const parts: Buffer[] = [];
  for (let size = 0; size <= EVENT_BYTES; ) {
    const part = Buffer.alloc(CHUNK_BYTES);
    const length = readPart(part);
    if (length === 0) break;
    size += length;
    parts.push(part.subarray(0, length));
    // The last byte of a map, or the line break behind it.
    if (part[length - 1] === 0x7d || part[length - 1] === 0x0a) {
      const event = parseJson(Buffer.concat(parts).toString("utf8"));
      if (typeof event === "object" && event !== null) return event as CallEvent;
    }
  }
  return undefined;
}

const WAIT_MILLISECONDS = 2;

function readPart(part: Buffer): number {
  for (;;)
    try {
      return readSync(0, part);
    } catch (error) {
      // Nothing is there yet.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MILLISECONDS);
    }
}

// Passes the event that the fast answer has read to the command, which is another file of the build: standard input can be read once.
const KEY = Symbol.for("compaction-rules.event");
const shared = globalThis as { [KEY]?: object | undefined };

export function passEvent(event: object | undefined): void {
  shared[KEY] = event;
}

export function passedEvent(): object | undefined {
  const event = shared[KEY];
  delete shared[KEY];
  return event;
}
