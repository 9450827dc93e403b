// What became of each rule of the user: where it was said, which summaries lost it, and what its guard did.
import { markControls } from "../text/forms.js";
import type { ShownRule } from "./data.js";
import type { PageModel } from "./page-model.js";
import { Link } from "./text.js";

export function UserRules({ rules, model }: { readonly rules: readonly ShownRule[]; readonly model: PageModel }) {
  const goTo = (at: string) => {
    const [, source = at, tool] = /^(.*?)(?:#(\d+))?$/s.exec(at) ?? [];
    return () => model.show({ source, start: 0, ...(tool !== undefined && { tool: Number(tool) }) });
  };
  return (
    <>
      {rules.map(({ id, text, from, said, does, events }) => (
        <section key={`${from} ${id}`}>
          <h2 dir="auto">
            {markControls(text)}{" "}
            <small>
              {from}
              {does && `, ${does}`}
            </small>
          </h2>
          <ul class="facts">
            {said !== undefined && (
              <li>
                <Link go={goTo(said)}>said</Link>
              </li>
            )}
            {events.map(({ what, at, call }, index) => (
              <li key={index} data-event={what}>
                <Link go={goTo(at)}>
                  <b>{what}</b> {call && markControls(call)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
