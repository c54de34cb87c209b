/** nginx with the documents of a running program as files, each coding's bytes on disk, and the same headers. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import { ask } from "../test/support/wire.ts";

export interface NginxPeer {
  readonly url: string;
  readonly version: string;
  readonly process: ChildProcess;
}

const OWN_HEADERS = new Set(["etag", "last-modified", "content-type", "content-length", "date", "connection"]);

/** Starts nginx on files below `folder`, at `/CODING/NUMBER` for each of the paths. Undefined where there is none. */
export async function openNginx(
  folder: string,
  { origin, paths, codings }: { origin: string; paths: readonly string[]; codings: readonly string[] },
): Promise<NginxPeer | undefined> {
  const version = nginxVersion();
  if (version === undefined) return undefined;
  const locations: string[] = [];
  for (const coding of codings) {
    mkdirSync(join(folder, coding), { recursive: true });
    for (const [index, path] of paths.entries()) {
      const { headers, body } = await ask(`${origin}${path}`, { headers: { "accept-encoding": coding } });
      writeFileSync(join(folder, coding, String(index)), body);
      const added = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name) && name !== "keep-alive");
      const lines = added.map(([name, value]) => `add_header ${name} '${value}';`).join(" ");
      locations.push(`location = /${coding}/${index} { root ${folder}; ${lines} }`);
    }
  }
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; master_process off; worker_processes 1; pid ${join(folder, "pid")}; error_log stderr error;
events { worker_connections 512; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=100;
  default_type application/json;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; ${locations.join("\n")} } }\n`,
  );
  const child = spawn("nginx", ["-c", config], { stdio: ["ignore", "inherit", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    if (await ask(`${url}/${codings[0]}/0`).catch(() => undefined)) return { url, version, process: child };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("nginx did not start");
}

/** The name and version of nginx. Undefined where there is none. */
export function nginxVersion(): string | undefined {
  try {
    return /nginx\/[\d.]+/.exec(execFileSync("sh", ["-c", "nginx -v 2>&1"], { encoding: "utf8" }))?.[0];
  } catch {
    return undefined;
  }
}
