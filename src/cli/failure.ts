// What ends a command early: said in one line, with what to do.

export const EXIT = { fine: 0, findings: 1, couldNotRun: 2, aborted: 130 } as const;

export class Failure extends Error {
  constructor(
    message: string,
    readonly hint?: string,
    readonly code?: string,
  ) {
    super(message);
  }
}
