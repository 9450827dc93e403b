// The one form of a concept, so that [[Node.js]] and [[node.js]] are the same.
import { CONCEPT_CODE_POINTS } from "../limits.js";

/**
 * NFC, lower case whatever the locale; blanks and underscores become "-"; letters with their marks, digits and "-"
 * stay, and so do + and # at the end of a word (c++, c#). Undefined when nothing is left, or too much.
 */
export function toConcept(text: string): string | undefined {
  if (text.length > CONCEPT_CODE_POINTS * 8) return undefined;
  const form = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_]+/gu, "-")
    .replace(/(\p{L}\p{M}*|[\p{N}+#-])|./gsu, "$1")
    .replace(/[+#](?![+#]*(?:-|$))|(?<![\p{L}\p{M}\p{N}+#])[+#]+/gu, "")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "")
    .normalize("NFC");
  const length = [...form].length;
  return length > 0 && length <= CONCEPT_CODE_POINTS ? form : undefined;
}
