/** A registry on loopback that offers the installed production dependencies, so that a package can be installed offline. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** Offers what the lock file names for production, but for optional packages. */
export async function openRegistry(root: string): Promise<{ readonly url: string } & Disposable> {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  const folders = Object.entries(lock.packages)
    .filter(([path, { dev, optional }]) => path !== "" && dev !== true && optional !== true)
    .map(([path]) => path);
  let url = "";
  const server = createServer((request, response) => {
    const [path = "", index] = decodeURIComponent(request.url?.slice(1) ?? "").split("/-/");
    const mine = folders.filter((folder) => folder.endsWith(`node_modules/${path}`));
    if (mine.length === 0) return void response.writeHead(404).end("{}");
    if (index !== undefined) {
      const folder = join(root, mine[Number(index.replace(".tgz", ""))] ?? "");
      const tar = spawn("tar", ["-czf", "-", "--transform", "s,^\\.,package,", "--exclude", "./node_modules", "."], {
        cwd: folder,
      });
      return void tar.stdout.pipe(response);
    }
    const versions = mine.map((folder, place) => {
      const description = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { version: string };
      return [description.version, { ...description, dist: { tarball: `${url}${path}/-/${place}.tgz` } }] as const;
    });
    response.end(
      JSON.stringify({ name: path, "dist-tags": { latest: versions[0]?.[0] }, versions: Object.fromEntries(versions) }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
