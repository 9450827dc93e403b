// A package registry on 127.0.0.1 that has one package, so that OpenCode can install it by its name.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

export async function startRegistry(tarball, { name, version, exports }) {
  const server = createServer(({ url }, response) => {
    if (url === "/package.tgz") return response.end(readFileSync(tarball));
    if (url !== `/${name}`) return response.writeHead(404).end("{}");
    const dist = { tarball: `${address}/package.tgz` };
    const versions = { [version]: { name, version, exports, dist } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  return { address, close };

  function close() {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  }
}
