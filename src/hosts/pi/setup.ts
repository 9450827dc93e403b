import { join } from "node:path";
import { type OwnInstaller, PACKAGE } from "../setup.js";

export const piSetup: OwnInstaller = {
  name: "pi",
  agent: {
    title: "pi",
    program: "pi",
    folder: (home, { PI_CODING_AGENT_DIR }) => join(PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions"),
    settings: (home, project, { PI_CODING_AGENT_DIR }) => [
      join(project, ".pi", "settings.json"),
      join(PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "settings.json"),
    ],
    isSession: (path) => path.endsWith(".jsonl"),
    marks: ['"type":"compaction"'],
  },
  install: `pi install npm:${PACKAGE}`,
  remove: `pi remove npm:${PACKAGE}`,
};
