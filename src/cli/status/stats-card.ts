// The card of stats --card: a picture with the numbers of all compactions, and no text of any session.
import type { Fate } from "../../state/history.js";
import { counted } from "../../text/counted.js";

const WIDTH = 480;
const MARGIN = 24;
const BAR = { top: 76, height: 18 };
const FATES = [
  { fate: "kept", says: "kept by the summaries", colour: "#2e7d32" },
  { fate: "repaired", says: "put back by compaction-rules", colour: "#1565c0" },
  { fate: "unsure", says: "perhaps told in other words", colour: "#9e9e9e" },
  { fate: "lost", says: "in neither", colour: "#c62828" },
] as const;

/** @param since the day of the first compaction */
export function statsCard(sum: Required<Fate>, compactions: number, since: string): string {
  const all = FATES.reduce((total, { fate }) => total + sum[fate], 0);
  const room = WIDTH - 2 * MARGIN;
  let left = MARGIN;
  const bars = FATES.map(({ fate, colour }) => {
    const width = (sum[fate] / Math.max(1, all)) * room;
    left += width;
    return `<rect x="${(left - width).toFixed(1)}" y="${BAR.top}" width="${width.toFixed(1)}" height="${BAR.height}" fill="${colour}"/>`;
  });
  const rows = FATES.map(({ fate, says, colour }, index) => {
    const y = BAR.top + BAR.height + 30 + index * 22;
    return `<circle cx="${MARGIN + 5}" cy="${y - 5}" r="5" fill="${colour}"/><text x="${MARGIN + 20}" y="${y}">${sum[fate]} ${says}</text>`;
  });
  const head = `${counted(all, "fact")} in ${counted(compactions, "compaction")} since ${since}`;
  const height = BAR.top + BAR.height + 30 + FATES.length * 22;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-label="${head}">
<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d0d0"/>
<g fill="#222222">
<text x="${MARGIN}" y="34" font-size="16" font-weight="bold">compaction-rules</text>
<text x="${MARGIN}" y="58">${head}</text>
${[...bars, ...rows].join("\n")}
</g>
</svg>
`;
}
