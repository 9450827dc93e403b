// The server of the playground. It answers only to the page that it handed out: the right token, from this machine and origin.
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export type Reply = { readonly status: number; readonly type?: string; readonly body: string };

export interface Routes {
  readonly page: () => string;
  readonly get: Readonly<Record<string, (query: URLSearchParams) => Reply>>;
  readonly post: Readonly<Record<string, (body: string) => Reply>>;
  /** Called for each page that listens for changes. Returns a function that ends it. */
  readonly listen: (send: (data: string) => void) => () => void;
}

/** The largest body that is read: a pack, and its former text, as JSON. */
const BODY_BYTES = 8_000_000;

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

export const json = (value: unknown, status = 200): Reply => ({ status, type: "application/json", body: JSON.stringify(value) });
export const refusal = (status: number, message: string): Reply => json({ message }, status);

export function createPlayServer(token: string, routes: Routes): Server {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => send(response, refusal(500, "this failed")));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = server.address();
    const host = typeof address === "object" ? `127.0.0.1:${address?.port}` : "";
    const refused = refuse(request, host, token);
    if (refused) return send(response, refused);
    const { pathname, searchParams } = new URL(request.url ?? "/", `http://${host}`);
    if (request.method === "POST") {
      const route = Object.hasOwn(routes.post, pathname) ? routes.post[pathname] : undefined;
      const body = route ? await bodyOf(request) : undefined;
      return send(response, route && body !== undefined ? route(body) : refusal(404, "there is nothing here"));
    }
    if (pathname === "/") return send(response, { status: 200, type: "text/html; charset=utf-8", body: routes.page() });
    if (pathname === "/events") {
      response.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream" });
      response.write(": listening\n\n");
      const end = routes.listen((data) => void response.write(`data: ${data}\n\n`));
      return void response.on("close", end);
    }
    const route = Object.hasOwn(routes.get, pathname) ? routes.get[pathname] : undefined;
    return send(response, route ? route(searchParams) : refusal(404, "there is nothing here"));
  }
  return server;
}

/** Other pages in the same browser can send requests here, and another name can lead to this address. Neither knows the token;
 * the host and the origin are checked as well. */
function refuse({ method = "", headers, url = "" }: IncomingMessage, host: string, token: string): Reply | undefined {
  if (headers.host !== host) return refusal(403, "wrong host");
  if (headers.origin !== undefined && headers.origin !== `http://${host}`) return refusal(403, "wrong origin");
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return refusal(403, "wrong origin");
  // The address of a page and of its events cannot have headers of their own.
  const given = headers["x-compaction-token"] ?? new URL(url, `http://${host}`).searchParams.get("token") ?? "";
  if (!isSame(String(given), token)) return refusal(403, "wrong token");
  return method === "GET" || method === "POST" ? undefined : refusal(405, "only GET and POST");
}

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > BODY_BYTES) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

function send(response: ServerResponse, { status, type = "text/plain; charset=utf-8", body }: Reply): void {
  response.writeHead(status, { ...HEADERS, "Content-Type": type });
  response.end(body);
}
