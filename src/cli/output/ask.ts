// Asks the user a question.

/** The answer; undefined without a terminal, because nobody could answer. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await asked.question(question);
  } finally {
    asked.close();
  }
}
