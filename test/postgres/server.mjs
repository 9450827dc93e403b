// A PostgreSQL server of its own in a temporary folder: only a socket, no network. It does not run as root.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DEBIAN = "/usr/lib/postgresql";
const PASSWORD = ["pa55", "of", "the", "team"].join("-");

/** The folder of the server's programs; undefined if it is not installed. */
export function findServer() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(DEBIAN, version, "bin"));
  return [...folders, ...(process.env.PATH ?? "").split(":")].find((folder) => existsSync(join(folder, "initdb")));
}

export function startServer() {
  const programs = findServer();
  if (programs === undefined) throw new Error("there is no PostgreSQL server on this machine");
  const folder = mkdtempSync(join(tmpdir(), "compaction-pg-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot && spawnSync("id", ["postgres"]).status === 0 ? "postgres" : "nobody";
  const run = (program, ...args) => {
    const file = join(programs, program);
    // A server inherits the pipes of who starts it.
    const options = { stdio: "ignore", cwd: folder };
    if (isRoot) execFileSync("runuser", ["-u", owner, "--", file, ...args], options);
    else execFileSync(file, args, options);
  };
  const secret = join(folder, "password");
  writeFileSync(secret, PASSWORD);
  chmodSync(secret, 0o644);
  chmodSync(folder, 0o755);
  if (isRoot) execFileSync("chown", [owner, folder]);
  run("initdb", "-D", data, "-U", "team", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--locale=C.UTF-8", "-N");
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  const start = () => run("pg_ctl", "-D", data, "-w", "-o", options, "-l", join(folder, "log"), "start");
  const stop = () => run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
  start();
  // So psql needs no password on its command line.
  const environment = { PGHOST: folder, PGUSER: "team", PGPASSWORD: PASSWORD, PGDATABASE: "postgres" };
  return {
    folder,
    password: PASSWORD,
    environment,
    /** What psql prints for a statement. */
    query: (sql) => {
      const args = ["-X", "-q", "-A", "-t", "-c", sql];
      const { stdout, stderr, status } = spawnSync(join(programs, "psql"), args, {
        encoding: "utf8",
        env: { ...process.env, ...environment },
      });
      if (status !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    url: `postgres://team:${PASSWORD}@/postgres?host=${folder}`,
    start,
    stop,
    remove: () => {
      try {
        stop();
      } catch {
        // It was stopped.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
