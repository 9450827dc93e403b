// A plugin that does nothing but read the messages: what any plugin must do that wants to know the session.

export default {
  id: "reader",
  server: async ({ client }) => ({
    "experimental.session.compacting": async ({ sessionID }) => {
      await client.session.messages({ path: { id: sessionID } });
    },
  }),
};
