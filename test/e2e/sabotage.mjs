// A plugin that breaks the client which OpenCode hands to the plugins behind it, once a file says how.
import { existsSync, readFileSync } from "node:fs";

export default {
  id: "sabotage",
  server: async ({ client }, { file }) => {
    const { messages } = client.session;
    client.session.messages = (...request) => {
      const how = existsSync(file) ? readFileSync(file, "utf8") : "";
      if (how === "throws") throw new Error("the client is broken");
      if (how === "hangs") return new Promise(() => {});
      return messages.apply(client.session, request);
    };
    return {};
  },
};
