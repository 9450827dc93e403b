// The todo list in a tool block of SpecStory's Markdown: boxes, as of most hosts, or what Cursor answers with.

const BOX = /^\s*[-*+] \[.\] \S/;
const ANSWER = '"finalTodos"';

/** What SpecStory writes for marks that would be Markdown's or HTML's. In JSON they are all as good as what they stand for. */
const ENTITIES: Readonly<Record<string, string>> = { "#96": "`", "#39": "'", lt: "<", gt: ">", amp: "&" };
const asTyped = (text: string) => text.replace(/&(#96|#39|lt|gt|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** The boxes as they stand, or the entries of the answer; undefined where there is no such list. */
export function listedTodos(before: readonly string[], fences: readonly (readonly string[])[]): unknown {
  const boxes = before.filter((line) => BOX.test(line));
  if (boxes.length > 0) return asTyped(boxes.join("\n"));
  const answer = fences.at(-1)?.join("\n");
  if (!answer?.includes(ANSWER)) return undefined;
  try {
    const given: unknown = JSON.parse(asTyped(answer));
    return typeof given === "object" && given !== null && "finalTodos" in given ? given.finalTodos : undefined;
  } catch {
    return undefined;
  }
}

const TITLE = "## Todo List";

/** In files without blocks, where the list ends whose title is on this line; undefined where there is no title. */
export function endOfTodos(content: readonly string[], title: number): number | undefined {
  if (content[title]?.trimEnd() !== TITLE) return undefined;
  let end = title + 1;
  for (let index = end; index < content.length; index++) {
    const line = content[index] as string;
    if (BOX.test(line)) end = index + 1;
    else if (line.trim() !== "") break;
  }
  return end;
}
