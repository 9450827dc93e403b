// A registry of packages on this machine that has one package: this one, as npm would publish it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

export async function startRegistry(root, folder) {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [{ name, version, filename, integrity }] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" }));
  const bytes = readFileSync(join(folder, filename));
  const { bin, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const server = createServer(({ url, headers }, response) => {
    if (url === `/${filename}`) return response.end(bytes);
    if (url !== `/${name}`) return response.writeHead(404).end("{}");
    const shasum = createHash("sha1").update(bytes).digest("hex");
    const dist = { tarball: `http://${headers.host}/${filename}`, integrity, shasum };
    const versions = { [version]: { name, version, bin, dependencies, dist } };
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => server.close(done)) };
}
