// Checks of one scenario, told in one line each.

export function openReport(name) {
  const lines = [];
  let failed = 0;
  return {
    check(what, holds, why = "") {
      if (!holds) failed++;
      lines.push(`  ${holds ? "PASS" : "FAIL"}  ${what}${!holds && why !== "" ? `: ${short(why)}` : ""}`);
      return Boolean(holds);
    },
    figure(what) {
      lines.push(`        ${what}`);
    },
    /** True when nothing failed. */
    print(seconds) {
      console.log(`${name} (${seconds.toFixed(1)} s)\n${lines.join("\n")}`);
      return failed === 0;
    },
    get failed() {
      return failed;
    },
    get count() {
      return lines.filter((line) => /^ {2}(PASS|FAIL)/.test(line)).length;
    },
  };
}

const short = (why) => {
  const line = String(why).replaceAll(/\s+/g, " ");
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
};

/** Which of the needles do not stand in the text; a renderer may change the case of a first letter. */
export const missing = (text, needles) => needles.filter((needle) => occurrences(text, needle) === 0);

export const occurrences = (text, needle) => text.toLowerCase().split(needle.toLowerCase()).length - 1;
