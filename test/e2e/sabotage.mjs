// A plugin that breaks the client which OpenCode hands to the plugins behind it.

export default {
  id: "sabotage",
  server: async ({ client }, { how }) => {
    client.session.messages = () => {
      if (how === "throws") throw new Error("the client is broken");
      return new Promise(() => {});
    };
    return {};
  },
};
