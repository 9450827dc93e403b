import { mcpSetup } from "../setup.js";

/** It starts servers in a folder of its own. */
export const cursorMcp = mcpSetup({
  name: "cursor",
  files: [".cursor/mcp.json"],
  servers: "mcpServers",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in.
  startOf: ({ path }) => "${workspaceFolder}/".concat(path),
  textOf: (program) => `{ "command": ${program}, "args": ["mcp", "--project", "\${workspaceFolder}"] }`,
});
