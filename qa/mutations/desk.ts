/** Defences of the owner's desk. */
import type { Mutation } from "./mutation.ts";

const ACCESS = "src/app/desk/desk-access.ts";

export const DESK: readonly Mutation[] = [
  {
    test: "test/desk/desk-access.test.ts: a Host that is not this machine's gets 403",
    without: "check of the Host",
    file: ACCESS,
    text: "if (host === undefined || !OWN_HOSTS.has(host.name))",
    instead: "if (host === undefined)",
  },
  {
    test: "test/desk/desk-access.test.ts: a change needs a same-origin Origin",
    without: "check of the Origin",
    file: ACCESS,
    text: "if (!isReading && headers.origin !==",
    instead: "if (false && headers.origin !==",
  },
  {
    test: "test/desk/desk-access.test.ts: a change needs a same-origin Origin",
    without: "tokens of forms",
    file: "src/app/desk/desk-form.ts",
    text: 'if (!isSame(fields.get(TOKEN_FIELD) ?? "", token))',
    instead: 'if (token === "")',
  },
  {
    test: "test/desk/desk-access.test.ts: a change needs a same-origin Origin",
    without: "refusal of other programs of the machine",
    file: ACCESS,
    text: "/^(?:same-origin|none)?$/",
    instead: "/^/",
  },
  {
    test: "test/desk/desk-access.test.ts: no answer allows another origin, a frame, an inline script or a cache",
    without: "header against frames",
    file: "src/app/desk/desk-frame.ts",
    text: '"X-Frame-Options": "DENY",',
    instead: "",
  },
  {
    test: "test/desk/desk-access.test.ts: whoever has neither key nor cookie gets 403 everywhere and learns nothing",
    without: "comparison of the key",
    file: ACCESS,
    text: 'isSame(given.searchParams.get("key") ?? "", key)',
    instead: 'given.searchParams.has("key")',
  },
  {
    test: "test/desk/desk-access.test.ts: it listens on loopback addresses only",
    without: "address to listen on",
    file: "src/app/desk/desk-server.ts",
    text: 'host: "127.0.0.1"',
    instead: 'host: ""',
  },
  {
    test: "test/desk/desk-access.test.ts: the first visit with the key sets a session cookie and leads to /",
    without: "address without the key",
    file: "src/app/desk/desk-server.ts",
    text: 'Location: "/", "Set-Cookie": cookie',
    instead: 'Location: `/?key=${access.key}`, "Set-Cookie": cookie',
  },
  {
    test: "test/desk/desk-access.test.ts: a file's name is no path and no markup",
    without: "names instead of paths",
    file: "src/app/desk/desk-form.ts",
    text: "given.split(/[/\\\\]/).at(-1)",
    instead: "given",
  },
  {
    test: "test/desk/desk-access.test.ts: a body that is too large, too long or no form is refused",
    without: "limit of a field",
    file: "src/app/desk/desk-form.ts",
    text: "const MAX_FIELD_BYTES = 256 * 1024;",
    instead: "const MAX_FIELD_BYTES = Infinity;",
  },
  {
    test: "src/app/desk/peer-user.test.ts: tells the user at the other end of a connection",
    without: "distrust of an end that was closed",
    file: "src/app/desk/peer-user.ts",
    text: 'inode !== "0" && ',
    instead: "",
  },
  {
    test: "src/app/desk/peer-user.test.ts: tells the user at the other end of a connection",
    without: "distrust of a connection that is gone",
    file: "src/app/desk/peer-user.ts",
    text: "return end(own, peer)?.[3] === ESTABLISHED;",
    instead: "return true;",
  },
  {
    test: "test/desk/desk-access.test.ts: another user of the machine gets 403, also with the cookie that browsers send to all ports",
    without: "look at whose a connection is",
    file: "src/app/desk/desk-server.ts",
    text: 'if (!isOwnUsers(incoming.socket)) return refused("user");',
    instead: "",
  },
  {
    test: "src/app/desk/desk-history.test.ts: and nothing of another user or behind a link",
    without: "look at whose a left folder is",
    file: "src/app/desk/desk-history.ts",
    text: "(user !== undefined && found.uid !== user)",
    instead: "false",
  },
  {
    test: "test/desk/desk-sites.test.ts: no link that comes into a site's folder leads the desk out of it",
    without: "look at the site's folder for each request",
    file: "src/app/desk/desk-sites.ts",
    text: "if (site !== undefined) requireOwnFiles(site, [EXPORT_FOLDER]);",
    instead: "",
  },
  {
    test: "test/desk/desk-sites.test.ts: no link that comes into a site's folder leads the desk out of it",
    without: "business.yaml made anew",
    file: "src/app/desk/desk-business.ts",
    text: 'rmSync(part, { force: true });\n  writeFileSync(part, text, { flag: "wx" });',
    instead: "writeFileSync(part, text);",
  },
];
