// Paths and names of programs as text, whichever system wrote them: a session may come from another machine.

const DRIVE = /^[A-Za-z]:[\\/]/;

/** Is it absolute, on any system? */
export const isAbsolutePath = (path: string): boolean => path.startsWith("/") || DRIVE.test(path);

/** Is it a path of Windows? @param folder where it was written */
export const isWindowsPath = (path: string, folder = ""): boolean =>
  DRIVE.test(path) || DRIVE.test(folder) || (path.includes("\\") && !path.includes("/"));

/** A path of Windows with slashes: C:\Users is C:/Users, and so are c:/Users and the /c/Users of Git's bash. */
export const slashed = (path: string): string =>
  path.replaceAll("\\", "/").replace(/^(?:\/([A-Za-z])(?=\/|$)|([A-Za-z]):)/, (_, a = "", b = "") => `${(a + b).toUpperCase()}:`);

/** What a program is called wherever it is installed, also by a shim of Windows: npm for C:\node\npm.cmd. */
export const programName = (path: string): string =>
  path.replace(/^.*[/\\](?=.)/s, "").replace(/(?<=.)\.(?:cmd|exe|bat|ps1)$/i, "");
