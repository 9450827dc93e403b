export interface Server {
  readonly folder: string;
  readonly password: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly query: (sql: string) => string;
  readonly url: string;
  readonly start: () => void;
  readonly stop: () => void;
  readonly remove: () => void;
}
export function findServer(): string | undefined;
export function startServer(): Server;
