// The file that pi loads. Only in a TypeScript file does pi map its own package, in which it has the function that asks for a
// summary.
import compactionRules from "../../../../dist/pi.js";

type Pi = Parameters<typeof compactionRules>[0];

export default (pi: Pi): void => compactionRules(pi, (name) => import(name));
