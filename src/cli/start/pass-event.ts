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
