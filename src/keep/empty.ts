// A session of which nothing is known yet.
import type { Extraction } from "../model.js";

export const emptyExtraction = (id: string): Extraction => ({
  continuation: {
    version: 1,
    session: { id, format: "" },
    items: [],
    concepts: [],
    files: { read: [], created: [], modified: [], deleted: [] },
    commands: [],
    errors: [],
    todos: [],
    diagnostics: [],
  },
  statements: [],
});
