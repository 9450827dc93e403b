// Takes out of the pieces of a session, as they are read, what nothing looks at: nine tenths of it are what tools printed.
// What is kept makes the readers and the extraction say the same as the whole would.
import { OUTPUT_START_CHARACTERS } from "../limits.js";
import { isCall, nameOf } from "./codex-calls.js";
import { lightCodex } from "./codex-light.js";
import { asList, asText, type Fields, isFields } from "./parsed.js";
import { join, map, shorten } from "./shorten.js";

/** What rules need of the calls of a tool. */
export interface Needs {
  /** Characters at the beginning of a text of its output. */
  readonly output: (tool: string, text: string) => number;
  /** Characters at the beginning of each text of its input. */
  readonly texts: (tool: string) => number;
  /** Keys of its input that are needed whole. */
  readonly input: (tool: string) => ReadonlySet<string>;
}

/** For one session: an answer that stands apart from its call is told by the call's id. */
export function createLightener(needs: Needs): (piece: unknown) => unknown {
  const names = new Map<string, string>();
  const called = (id: unknown, name: unknown) => {
    if (typeof id === "string" && typeof name === "string") names.set(id, name);
  };
  const start = (tool: string) => (text: string) => Math.max(needs.output(tool, text), OUTPUT_START_CHARACTERS);
  const output = (tool: string, value: unknown) => shorten(value, start(tool));
  /** The output of a call of which nothing is known stays as it is. */
  const answer = (id: unknown, value: unknown, tool = names.get(asText(id) ?? "")) =>
    tool === undefined ? value : output(tool, value);

  function input(tool: unknown, value: unknown): unknown {
    if (!isFields(value)) return value;
    const name = asText(tool) ?? "";
    const wanted = needs.input(name);
    const texts = Math.max(needs.texts(name), OUTPUT_START_CHARACTERS);
    return map(value, (one, key) => (wanted.has(key) ? one : shorten(one, texts)));
  }

  const call = (fields: Fields) => ({
    ...fields,
    input: input(fields.name, fields.input),
    output: output(asText(fields.name) ?? "", fields.output),
  });

  /** A part of OpenCode's messages. */
  function part(fields: Fields, said: boolean): unknown {
    if (fields.type === "text") return said && fields.synthetic === true ? shorten(fields, OUTPUT_START_CHARACTERS) : fields;
    if (fields.type !== "tool" || !isFields(fields.state)) return shorten(fields, OUTPUT_START_CHARACTERS);
    const { state, tool, type } = fields;
    const name = asText(tool) ?? "";
    const { metadata, status } = state;
    const light = {
      status,
      input: input(name, state.input),
      output: output(name, state.output),
      error: output(name, state.error),
      metadata: isFields(metadata) ? { exit: metadata.exit } : undefined,
    };
    return { type, tool, state: light };
  }

  /** A block of what Claude Code and pi write. */
  function block(fields: Fields): unknown {
    switch (fields.type) {
      case "text":
        return fields;
      case "tool_use":
        called(fields.id, fields.name);
        return { ...fields, input: input(fields.name, fields.input) };
      case "toolCall":
        called(fields.id, fields.name);
        return { ...fields, arguments: input(fields.name, fields.arguments) };
      case "tool_result":
        return { ...fields, content: answer(fields.tool_use_id, fields.content) };
      default:
        return shorten(fields, OUTPUT_START_CHARACTERS);
    }
  }

  const blocks = (content: unknown) =>
    Array.isArray(content) ? content.map((one) => (isFields(one) ? block(one) : one)) : content;

  /** What a record says, in whichever format; of what it does not say, the long texts are cut. */
  function message(fields: Fields): unknown {
    const { content, text, summary, ...rest } = fields;
    const kept = fields.role === "toolResult" ? answer(fields.toolCallId, content, asText(fields.toolName)) : blocks(content);
    return join(shorten(rest, OUTPUT_START_CHARACTERS) as Fields, given({ content: kept, text, summary }));
  }

  function event(type: string, data: Fields): unknown {
    for (const request of asList(data.toolRequests).filter(isFields)) called(request.toolCallId, request.name);
    called(data.toolCallId, data.toolName);
    const tool = asText(data.toolName);
    const { content, summary, summaryContent, result, error, toolRequests, ...rest } = data;
    const light = shorten(rest, OUTPUT_START_CHARACTERS) as Fields;
    return join(
      light,
      given({ content, summary, summaryContent }),
      "arguments" in data ? { arguments: input(tool, data.arguments) } : {},
      given({
        result: type === "tool.execution_complete" ? answer(data.toolCallId, result, tool) : result,
        error: answer(data.toolCallId, error, tool),
        toolRequests: Array.isArray(toolRequests)
          ? toolRequests.map((one) => (isFields(one) ? { ...one, arguments: input(one.name, one.arguments) } : one))
          : toolRequests,
      }),
    );
  }

  return (piece) => {
    if (!isFields(piece)) return piece;
    if (Array.isArray(piece.parts) && isFields(piece.info)) {
      const parts = piece.parts.filter(isFields);
      const said = parts.some(
        (one) => one.type === "text" && one.ignored !== true && one.synthetic !== true && typeof one.text === "string",
      );
      return {
        info: shorten(piece.info, OUTPUT_START_CHARACTERS),
        parts: piece.parts.map((one) => (isFields(one) ? part(one, said) : one)),
      };
    }
    if (typeof piece.type === "string" && isFields(piece.payload)) {
      const { payload } = piece;
      if (isCall(payload)) called(payload.call_id, nameOf(payload));
      const tool = names.get(asText(payload.call_id) ?? "");
      return { ...piece, payload: lightCodex(piece.type, payload, input, tool === undefined ? undefined : start(tool)) };
    }
    if (typeof piece.type === "string" && isFields(piece.data)) return { ...piece, data: event(piece.type, piece.data) };
    if (typeof piece.text === "string" && typeof piece.role === "string")
      return Array.isArray(piece.toolCalls)
        ? { ...piece, toolCalls: piece.toolCalls.map((one) => (isFields(one) ? call(one) : one)) }
        : piece;
    if (isFields(piece.message)) {
      const { message: said, toolUseResult, ...other } = piece;
      const rest = typeof toolUseResult === "string" ? { ...other, toolUseResult } : other;
      return join(shorten(rest, OUTPUT_START_CHARACTERS) as Fields, { message: message(said as Fields) });
    }
    const { attachment } = piece;
    return isFields(attachment) && attachment.prompt === undefined ? shorten(piece, OUTPUT_START_CHARACTERS) : piece;
  };
}

const given = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
