// Where a host is told what happens.

export type Level = "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string) => void;
