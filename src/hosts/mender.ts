// What a summary lost is put behind it, and the log told how much of it there was.
import { redact } from "../extract/redact.js";
import type { Steps } from "../extract/steps.js";
import { countVerdicts } from "../keep/audit.js";
import { withBlock, withoutBlocks } from "../keep/block.js";
import { type Repair, repairInSteps } from "../keep/repair.js";
import type { Extraction } from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import type { Log } from "./log.js";
import { neutral } from "./neutral.js";

export function createMender(rules: RuleSet, log: Log) {
  /** A model may repeat what it was shown: what is stored holds no secret. */
  const masked = (summary: string) => redact(summary, rules.redactions);

  /** The block is quoted in the next compaction's prompt. */
  function* mend(extraction: Extraction, summary: string, how: string, late?: () => boolean): Steps<Repair> {
    const mended = yield* repairInSteps(extraction, summary, rules.templates.get(how) as Template, { rules, late });
    if (mended.block === "") return mended;
    const block = neutral(mended.block);
    return { ...mended, block, summary: withBlock(withoutBlocks(summary), block) };
  }

  function* audited(extraction: Extraction, summary: string, how = "repair", late?: () => boolean) {
    const mended = yield* mend(extraction, summary, how, late);
    const given = Object.entries(countVerdicts(mended.verdicts)).filter(([, count]) => count > 0);
    const said = given.map(([verdict, count]) => `${count} ${verdict}`).join(", ") || "no facts";
    log("info", `summary audited: ${said}; ${mended.hidden} not shown`);
    return { mended, counts: Object.fromEntries(given) };
  }

  return { masked, mend, audited };
}

export type Mender = ReturnType<typeof createMender>;
