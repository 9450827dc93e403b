// The types of the pipeline, one file for each stage that makes them. Every stage may import them; they import nothing else.

export * from "./model/calls.js";
export * from "./model/continuation.js";
export * from "./model/item.js";
export * from "./model/segment.js";
export * from "./model/session.js";
