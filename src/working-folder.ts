// The folder that the process is in; undefined where somebody has removed it.

export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
