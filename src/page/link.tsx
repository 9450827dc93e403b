// A line that leads somewhere, or only a line.
import type { ComponentChildren } from "preact";

interface Props {
  readonly go?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

export function Link({ go, children }: Props) {
  if (!go) return <span dir="auto">{children}</span>;
  return (
    <button type="button" class="link" dir="auto" onClick={go}>
      {children}
    </button>
  );
}
