// What is used of the protocol's packages, which take long to load: the build makes a file of its own from them.
export { fromJsonSchema, type jsonSchemaValidator, McpServer } from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";
