// Where an editor finds a schema from a file of the user's project.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inside } from "../reach.js";

const installed = fileURLToPath(new URL("../../schemas/", import.meta.url));

export interface SchemaPath {
  readonly path: string;
  /** Does it hold on other machines as well? */
  readonly shared: boolean;
}

/**
 * The schema in the nearest node_modules, else of the running installation.
 * @param from the folder of the file that names the schema, in the project; links resolved in both
 */
export function schemaFrom(from: string, project: string, schema: string): SchemaPath {
  for (let above = project; ; above = dirname(above)) {
    const file = join(above, "node_modules", "compaction-rules", "schemas", schema);
    if (existsSync(file)) return { path: near(from, file), shared: true };
    if (dirname(above) === above) break;
  }
  const file = join(installed, schema);
  if (!inside(file, project)) return { path: written(file), shared: false };
  return { path: near(from, realpathSync(file)), shared: true };
}

function near(from: string, file: string): string {
  const path = relative(from, file).replaceAll("\\", "/");
  if (mustBeEncoded(path)) return written(file);
  return path.startsWith("../") ? path : `./${path}`;
}

const written = (file: string) => (mustBeEncoded(file) ? pathToFileURL(file).href : file.replaceAll("\\", "/"));

/** The editor's reader ends the name at a blank and takes what is behind # for a part of the schema. */
const mustBeEncoded = (path: string) => /[\s#%]/.test(path);
