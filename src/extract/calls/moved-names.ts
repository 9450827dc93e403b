// The files that came to their place with a folder that was moved, as a tree of names: moving them on is one step, however many
// they are.
import { PATH_CHARACTERS } from "../../limits.js";

export type MovedNames = { isFile: boolean; readonly inside: Map<string, MovedNames> };

const none = (): MovedNames => ({ isFile: false, inside: new Map() });
const isEmpty = ({ isFile, inside }: MovedNames) => !isFile && inside.size === 0;
const partsOf = (path: string) => path.replace(/(?<=.)\/+$/, "").split("/");

export function createMovedNames(root = none()) {
  function find(path: string): MovedNames | undefined {
    let node: MovedNames | undefined = root;
    for (const part of partsOf(path)) node = node?.inside.get(part);
    return node;
  }

  /** Removes what is at the path, and returns it. */
  function remove(path: string): MovedNames | undefined {
    const parts = partsOf(path);
    const last = parts.pop() as string;
    const above: MovedNames[] = [root];
    for (const part of parts) {
      const next = above.at(-1)?.inside.get(part);
      if (!next) return undefined;
      above.push(next);
    }
    const taken = above.at(-1)?.inside.get(last);
    above.at(-1)?.inside.delete(last);
    // Leave no empty folders.
    for (let depth = parts.length; depth > 0 && isEmpty(above[depth] as MovedNames); depth--)
      above[depth - 1]?.inside.delete(parts[depth - 1] as string);
    return taken;
  }

  function put(path: string, names: MovedNames): void {
    const parts = partsOf(path);
    const last = parts.pop() as string;
    let node = root;
    for (const part of parts) node = node.inside.get(part) ?? grown(node, part);
    const there = node.inside.get(last);
    node.inside.set(last, there ? merged(there, names) : names);
  }

  return {
    find,
    remove,
    put,
    add: (path: string) => put(path, { isFile: true, inside: new Map() }),
    isFile: (path: string) => find(path)?.isFile === true,
    /** All paths. A path that is too long is left out: it grew by moving a folder into folders. */
    *paths(): Iterable<string> {
      const waiting: [string, MovedNames][] = [...root.inside];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [path, { isFile, inside }] = next;
        if (path.length > PATH_CHARACTERS) continue;
        if (isFile) yield path;
        for (const [name, one] of inside) waiting.push([`${path}/${name}`, one]);
      }
    },
  };
}

function grown(node: MovedNames, part: string): MovedNames {
  const made = none();
  node.inside.set(part, made);
  return made;
}

/** Adds the smaller to the larger: the names of a large folder are not copied at each step. */
function merged(one: MovedNames, other: MovedNames): MovedNames {
  const waiting: [MovedNames, MovedNames][] = [];
  const join = (a: MovedNames, b: MovedNames) => {
    const [large, small] = a.inside.size >= b.inside.size ? [a, b] : [b, a];
    large.isFile ||= small.isFile;
    waiting.push([large, small]);
    return large;
  };
  const result = join(one, other);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [large, small] = next;
    for (const [name, node] of small.inside) {
      const there = large.inside.get(name);
      large.inside.set(name, there ? join(there, node) : node);
    }
  }
  return result;
}
