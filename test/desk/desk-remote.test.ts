/** The desk of a server elsewhere, by the words of docs/owners.md: SSH forwards its port. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { enter } from "../support/desk.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "../..");
const SSHD = "/usr/sbin/sshd";
const withoutSsh = existsSync(SSHD) ? false : "there is no sshd here (Debian: apt-get install openssh-server)";

test("the desk of a server is opened through `ssh -L`, as docs/owners.md says word for word", {
  skip: withoutSsh,
}, async () => {
  const guide = readFileSync(join(ROOT, "docs/owners.md"), "utf8");
  const words = /```sh\n(ssh -L .+)\n```\s[^`]*```sh\n(cd \S+\nnpx goodword desk)\n```/.exec(guide);
  const [, forward = assert.fail(), start = assert.fail()] = words ?? [];
  assert.match(guide, /`ssh -L 8090:127\.0\.0\.1:8091 …`, `npx goodword desk --port 8091`, and 8090 in the address/);
  using folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  const [port, own, remote] = [await freePort(), await freePort(), await freePort()];
  for (const key of ["host", "user"]) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path(key)]);
  const server = `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${path("host")}\nAuthorizedKeysFile ${path("user.pub")}\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\nPrintMotd no\nSetEnv PATH=${process.env.PATH} NO_UPDATE_NOTIFIER=1\n`;
  writeFileSync(path("sshd_config"), server);
  const client = `Host server.example\nHostName 127.0.0.1\nPort ${port}\nIdentityFile ${path("user")}\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n`;
  writeFileSync(path("ssh_config"), client);
  mkdirSync(path("business/node_modules/.bin"), { recursive: true });
  symlinkSync(join(ROOT, "bin/goodword.js"), path("business/node_modules/.bin/goodword"));

  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true }); // it drops its privileges there
  const daemon = spawn(SSHD, ["-D", "-e", "-f", path("sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
  await using _daemon = { [Symbol.asyncDispose]: async () => void (daemon.kill() && (await once(daemon, "exit"))) };
  for await (const line of createInterface(daemon.stderr)) if (line.includes("listening")) break;
  const [command = "", ...args] = forward
    .replace("8090:127.0.0.1:8090", `${own}:127.0.0.1:${remote}`)
    .replace("you@", `${userInfo().username}@`)
    .split(" ");
  const ssh = spawn(command, ["-tt", "-F", path("ssh_config"), ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(ssh, "exit");
  await using _ssh = {
    async [Symbol.asyncDispose]() {
      ssh.kill();
      await exited;
    },
  };
  ssh.stdin.write(`${start.replace("/path/to/the/business", path("business"))} --port ${remote}\n`);
  let address = "";
  for await (const line of createInterface(ssh.stdout)) {
    address = /Desk: (http:\S+)/.exec(line)?.[1] ?? "";
    if (address !== "") break;
  }
  const here = new URL(address.replace(`:${remote}/`, `:${own}/`));
  const session = await enter({ address: here.href, origin: here.origin });
  const form = (await session.get("/business")).text;
  assert.match(form, /What is your business\?/);
  const [, before = ""] = /name="before" value="([^"]+)"/.exec(form) ?? [];
  const fields = { before, name: "Northside Cooling", time_zone: "America/Chicago" };
  const { headers } = await session.post("/business", fields);
  assert.equal(headers.location, "/", "a form's Origin is that of the forwarded port");
  assert.match(readFileSync(path("business/business.yaml"), "utf8"), /Northside Cooling/);
  ssh.stdin.write("\u0003"); // Ctrl+C ends the desk
  ssh.stdin.write("exit\n");
  await exited;
});
