/**
 * Checks the files in deploy/ that no test runs, each with a tool of its own: the Dockerfile, the compose file by its
 * schema, the Kubernetes objects by their types, so that an unknown field is found too. Caddy, systemd and Prometheus
 * check their own files where they are installed; a file that was not checked is named.
 * `npm run check` runs it.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

const ROOT = join(import.meta.dirname, "..");
const textOf = (name: string) => readFileSync(join(ROOT, "deploy", name), "utf8");

/** The findings of a tool, one a line; undefined if it is not installed. */
type Findings = readonly string[] | undefined;

function dockerfile(): Findings {
  return run("node_modules/.bin/dockerfile-utils", ["lint", "deploy/Dockerfile"], { isSilent: true });
}

function compose(): Findings {
  const open = "no-unbound-port-interfaces"; // the proxy is public
  return run("node_modules/.bin/dclint", ["deploy/compose.yaml", "--disable-rule", open]);
}

/** Where `kubernetes-types` has the type of an object, by its apiVersion. */
const GROUPS: Readonly<Record<string, string>> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "networking.k8s.io/v1": "networking/v1",
  "policy/v1": "policy/v1",
};

function kubernetes(): Findings {
  const objects = parseAllDocuments(textOf("kubernetes.yaml")).map(
    (each) => each.toJS() as { readonly apiVersion: string; readonly kind: string },
  );
  const lines = objects.map((object, at) => {
    const group = GROUPS[object.apiVersion];
    if (group === undefined) throw new Error(`Add ${object.apiVersion} to GROUPS in scripts/lint-deploy.ts`);
    const type = `import("kubernetes-types/${group}.d.ts").${object.kind}`;
    return `export const object${at}: ${type} = ${JSON.stringify(object, undefined, 2)};\n`;
  });
  const folder = mkdtempSync(join(ROOT, "node_modules/.cache/lint-deploy-"));
  try {
    const file = join(folder, "kubernetes.ts");
    writeFileSync(file, lines.join(""));
    return run("node_modules/.bin/tsc", ["--noEmit", "--ignoreConfig", "--strict", "--module", "nodenext", file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Checks the file for one business, and the one in the guide for agencies. */
function caddyfile(): Findings {
  const guide = readFileSync(join(ROOT, "docs/agencies.md"), "utf8");
  const forMany = /^```\n(\{\n\s*on_demand_tls.*?)^```$/ms.exec(guide)?.[1];
  if (forMany === undefined) return ["docs/agencies.md has no Caddyfile"];
  const folder = mkdtempSync(join(ROOT, "node_modules/.cache/lint-deploy-"));
  try {
    writeFileSync(join(folder, "Caddyfile"), forMany);
    const found = ["deploy/Caddyfile", join(folder, "Caddyfile")].map(checkCaddyfile);
    return found.includes(undefined) ? undefined : found.flatMap((lines) => lines ?? []);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkCaddyfile(file: string): Findings {
  const options = ["validate", "--adapter", "caddyfile", "--config", file];
  return run("caddy", options, { settings: { DOMAIN: "localhost" } });
}

/** Limit for `systemd-analyze security`: 0 is fully confined, 100 not at all. */
const MAX_EXPOSURE = 15;

function systemdUnit(): Findings {
  const folder = mkdtempSync(join(ROOT, "node_modules/.cache/lint-deploy-"));
  try {
    const file = join(folder, "goodword.service");
    writeFileSync(file, textOf("goodword.service"));
    const known = run("systemd-analyze", ["verify", "--man=no", file], { isSilent: true });
    if (known?.length !== 0) return known;
    const exposed = run("systemd-analyze", ["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, file]);
    return exposed?.filter((line) => /^[✗→]/.test(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function alerts(): Findings {
  return run("promtool", ["check", "rules", "deploy/alerts.yaml"]);
}

/** Each alert fires, and none on a healthy server. */
function alertTests(): Findings {
  return run("promtool", ["test", "rules", "deploy/alerts.test.yaml"]);
}

interface Running {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether any output is a finding, because the exit code does not tell. */
  readonly isSilent?: boolean;
}

function run(program: string, options: readonly string[], { settings = {}, isSilent = false }: Running = {}): Findings {
  const env = { ...process.env, ...settings };
  const { status, stdout, stderr, error } = spawnSync(program, options, { cwd: ROOT, encoding: "utf8", env });
  if (error !== undefined) return undefined;
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return status === 0 && !(isSilent && lines.length > 0) ? [] : lines;
}

const CHECKS: Readonly<Record<string, () => Findings>> = {
  Dockerfile: dockerfile,
  "compose.yaml": compose,
  "kubernetes.yaml": kubernetes,
  Caddyfile: caddyfile,
  "goodword.service": systemdUnit,
  "alerts.yaml": alerts,
  "alerts.test.yaml": alertTests,
};

for (const [name, check] of Object.entries(CHECKS)) {
  const found = check();
  const verdict =
    found === undefined ? "not checked: its program is not installed" : `${found.length || "nothing"} found`;
  console.log(`deploy/${name}: ${verdict}`);
  for (const line of found ?? []) console.log(`  ${line}`);
  if (found !== undefined && found.length > 0) process.exitCode = 1;
}
