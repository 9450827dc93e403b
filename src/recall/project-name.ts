// The name of a project that is the same on every machine: where its repository comes from, or else its folder's name.
import { basename, join } from "node:path";
import { orUndefined } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { PACK_BYTES } from "../limits.js";

/** @param home the folder that identifies the project on this machine */
export function projectName(home: string): string {
  const settings = orUndefined(() => readRegular(join(home, ".git", "config"), PACK_BYTES).toString("utf8")) ?? "";
  const [, origin = ""] = /^\s*\[remote "origin"\]((?:\n(?!\s*\[).*)*)/m.exec(settings) ?? [];
  const [, url] = /^\s*url\s*=\s*(\S+)/m.exec(origin) ?? [];
  return url === undefined ? basename(home) : withoutAccess(url);
}

/** Host and path: people clone the same repository in several ways, and some with a password in the address. */
function withoutAccess(url: string): string {
  const [, host = "", path = ""] =
    /^[a-z][a-z+.-]*:\/\/(?:[^/]*@)?([^/:]*)(?::\d+)?\/(.*)$/i.exec(url) ?? /^(?:[^/]*@)?([^/:@]+):(.*)$/.exec(url) ?? [];
  const named = host === "" ? basename(url) : `${host.toLowerCase()}/${path.replace(/^\/+|[?#].*$/g, "")}`;
  return named.replace(/\/+$/, "").replace(/\.git$/, "");
}
