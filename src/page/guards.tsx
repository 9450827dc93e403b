// The calls of the session that a guard of the edited packs is for.
import { useMemo } from "preact/hooks";
import { guardSession } from "../guards/guard-session.js";
import { markControls } from "../text/forms.js";
import type { PageModel } from "./page-model.js";
import { Link } from "./text.js";

export function Guards({ model: { packs, data, show } }: { readonly model: PageModel }) {
  const { rules, guards } = packs.value.loaded;
  const met = useMemo(() => {
    const { tools, shell, scratch } = rules;
    const { folder } = data;
    // A page cannot follow links.
    const context = { tools, shell, scratch, project: folder, folder, real: (path: string) => path, folds: false };
    return guardSession([{ of: "others", guards, rules }], data.session, () => context);
  }, [guards, rules]);
  if (guards.length === 0) return null;
  return (
    <>
      <h2>Calls that a guard is for: {met.length}</h2>
      <ul class="facts guards">
        {met.map(({ guard, what, source, tool }, index) => (
          <li key={index}>
            <Link go={() => show({ source, start: 0, tool })}>
              <b>{markControls(guard.id)}</b> {markControls(what)} <small>{guard.does}</small>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
