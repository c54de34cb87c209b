/** The files of `deploy/` fit the program and each other: what a container engine or a cluster would find out too late. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { SETTINGS } from "../../src/app/config.ts";
import { PROCESS_STOP_MS } from "../../src/app/stop-signal.ts";
import { API_VERSION } from "../../src/interface.ts";
import { openIgnored, stagesOf } from "../support/container-context.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

const DOCKERFILE = read("deploy/Dockerfile");
const COMPOSE_TEXT = read("deploy/compose.yaml");
const COMPOSE = parse(COMPOSE_TEXT) as Compose;
const CADDYFILE = read("deploy/Caddyfile");
const UNIT = read("deploy/goodword.service");
const OBJECTS = parseAllDocuments(read("deploy/kubernetes.yaml")).map((each) => each.toJS());

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<"caddy" | "goodword" | "postgres", Service>>;
}

interface Service {
  readonly environment: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas: number; readonly resources: { readonly limits: { readonly memory: string } } };
}

/** What a container copies from the folder that it is built from. */
const COPIED = [...stagesOf(ROOT).values()].flatMap(({ copied }) => copied);

/** Memory in bytes, as systemd, Compose and Kubernetes write it: the first two mean by G what the third calls Gi. */
function bytesOf(text: string): number {
  const [, figure = "", unit = ""] = /^(\d+)(M|G)i?$/.exec(text) ?? [];
  return Number(figure) * (unit === "G" ? 2 ** 30 : 2 ** 20);
}

/** The documented `docker compose run` commands: the folders they bring along, and what the program is told to do. */
function composeRuns() {
  const texts = [COMPOSE_TEXT, read("docs/deployment.md"), read("docs/operators.md")].join("\n");
  return [...texts.matchAll(/docker compose -f deploy\/compose\.yaml run (.+?) goodword (\w+) (.+)/g)].map(
    ([, options = "", command = "", argument = ""]) => ({
      command,
      path: argument.replaceAll('"', "").trim(),
      mounts: [...options.matchAll(/-v "?([^":]+):([^":]+)(:ro)?"?/g)].map(([, from = "", to = "", isReadOnly]) => ({
        from,
        to,
        isWritable: isReadOnly === undefined,
      })),
    }),
  );
}

/** The folders that the container's program may use in a way. */
function allowed(way: "read" | "write"): string[] {
  return [...DOCKERFILE.matchAll(new RegExp(`--allow-fs-${way}=([\\w/]+)`, "g"))].map(([, folder = ""]) => folder);
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

describe("the container", () => {
  test("is given by .dockerignore every file that the Dockerfile copies, and no test", () => {
    assert.ok(COPIED.length > 8);
    const tracked = execFileSync("git", ["ls-files", "--", ...COPIED], { cwd: ROOT, encoding: "utf8" })
      .trim()
      .split("\n");
    for (const name of COPIED) {
      assert.ok(
        tracked.some((file) => file === name || file.startsWith(`${name}/`)),
        name,
      );
    }
    const isIgnored = openIgnored(ROOT);
    const missing = tracked.filter((file) => isIgnored(file) && !file.endsWith(".test.ts"));
    assert.deepEqual(missing, []);
    for (const file of ["docs/deployment.md", "data/goodword.db", "deploy/.env", "src/filter.test.ts"]) {
      assert.ok(isIgnored(file), file);
    }
  });
});

describe("the compose file", () => {
  test("runs documented commands on files that the program may use, from folders of the caller", () => {
    const runs = composeRuns();
    assert.deepEqual([...new Set(runs.map(({ command }) => command))].toSorted(), ["backup", "import", "restore"]);
    for (const { command, path, mounts } of runs) {
      const mount = mounts.find(({ to }) => isBelow(path, [to]));
      assert.ok(mount !== undefined, `${command}: ${path} is not mounted`);
      assert.match(mount.from, /^\$PWD\//, "Compose would look for a relative path beside its file");
      assert.ok(isBelow(path, allowed("read")), `${command}: ${path} may not be read`);
      const isWritten = command === "backup";
      assert.equal(mount.isWritable, isWritten, command);
      if (isWritten) assert.ok(isBelow(path, allowed("write")), `${path} may not be written`);
    }
  });

  test("tells how to give every variable that it requires, before the first command that needs them", () => {
    const required = [...COMPOSE_TEXT.matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name);
    assert.deepEqual(required.toSorted(), ["DOMAIN", "POSTGRES_PASSWORD"]);
    const [beforeFirst = ""] = COMPOSE_TEXT.split("docker compose -f");
    assert.match(beforeFirst, /umask 077; .*> deploy\/\.env/);
    for (const name of required) assert.ok(beforeFirst.includes(`${name}=`), name);
  });

  test("keeps the password out of the address, where / and # would end it", () => {
    const { DATABASE_URL, PGPASSWORD } = COMPOSE.services.goodword.environment;
    assert.equal(new URL(String(DATABASE_URL)).password, "");
    assert.match(String(PGPASSWORD), /^\$\{POSTGRES_PASSWORD/);
  });

  test("sets only settings that the program has, and PostgreSQL's password", () => {
    const unknown = Object.keys(COMPOSE.services.goodword.environment).filter((name) => !(name in SETTINGS));
    assert.deepEqual(unknown, ["PGPASSWORD"]);
  });

  test("has Caddy ask each of its replicas whether it is ready, and forward neither metrics nor their port", () => {
    const { environment, ports, deploy } = COMPOSE.services.goodword;
    const port = /PORT=(\d+)/.exec(DOCKERFILE)?.[1];
    const replicas = Array.from({ length: deploy?.replicas ?? 0 }, (_, at) => `${COMPOSE.name}-goodword-${at + 1}`);
    assert.ok(replicas.length > 1);
    const upstreams = /^\s*to (.+)$/m.exec(CADDYFILE)?.[1]?.split(" ");
    assert.deepEqual(
      upstreams,
      replicas.map((name) => `${name}:${port}`),
    );
    assert.doesNotMatch(CADDYFILE, /^\s*dynamic/m, "Caddy runs no health checks of dynamic upstreams");
    assert.match(CADDYFILE, /^\s*health_uri \/readyz$/m);
    assert.match(CADDYFILE, /^\s*health_interval [1-5]s$/m);
    assert.match(CADDYFILE, /^\s*lb_try_duration [1-9]s$/m);
    assert.ok(environment.METRICS_PORT !== undefined && String(environment.METRICS_PORT) !== port);
    assert.equal(ports, undefined);
  });
});

describe("the Kubernetes objects", () => {
  const byKind = (kind: string) => OBJECTS.find((each) => each.kind === kind);
  const pod = byKind("Deployment").spec.template;
  const [container] = pod.spec.containers;

  test("send requests to pods that are ready, and kill only those that are not alive", () => {
    assert.equal(container.readinessProbe.httpGet.path, "/readyz");
    for (const probe of ["startupProbe", "livenessProbe"]) assert.equal(container[probe].httpGet.path, "/healthz");
  });

  test("mount only what the program may read", () => {
    for (const { mountPath } of container.volumeMounts) assert.ok(isBelow(mountPath, allowed("read")), mountPath);
  });

  test("trust a proxy's addresses only where nobody else can connect from them", () => {
    const { data } = byKind("ConfigMap");
    assert.notEqual(data.TRUST_PROXY, undefined);
    const { spec } = byKind("NetworkPolicy");
    assert.deepEqual(spec.podSelector.matchLabels, pod.metadata.labels);
    const rules = spec.ingress as { from?: object[]; ports: { port: string }[] }[];
    assert.ok(rules.every(({ from = [] }) => from.length > 0));
    assert.deepEqual(rules.flatMap(({ ports }) => ports.map(({ port }) => port)).toSorted(), ["http", "metrics"]);
    const metrics = container.ports.find(({ name }: { name: string }) => name === "metrics");
    assert.equal(data.METRICS_PORT, String(metrics.containerPort));
  });

  test("set only settings that the program has, and run its version", () => {
    const { data } = byKind("ConfigMap");
    const { stringData } = byKind("Secret");
    const unknown = Object.keys({ ...data, ...stringData }).filter((name) => !(name in SETTINGS));
    assert.deepEqual(unknown, ["PGPASSWORD"]);
    assert.equal(container.image, `goodword:${API_VERSION}`);
  });
});

describe("memory", () => {
  const limits = [
    /^MemoryMax=(\S+)$/m.exec(UNIT)?.[1] ?? "",
    COMPOSE.services.goodword.deploy?.resources.limits.memory ?? "",
    OBJECTS.find(({ kind }) => kind === "Deployment").spec.template.spec.containers[0].resources.limits.memory,
  ].map(bytesOf);
  const alert = Number(/process_resident_memory_bytes\S* > ([\d.e]+)/.exec(read("deploy/alerts.yaml"))?.[1]);

  test("is limited above what 100,000 reviews need, and the alert fires between the two", () => {
    const needed =
      Number(
        /100,000 reviews a process needs about [\d.]+ GB at rest and up to ([\d.]+) GB/.exec(
          read("docs/operators.md"),
        )?.[1],
      ) * 1e9;
    assert.ok(needed > 0);
    assert.equal(new Set(limits).size, 1);
    assert.ok(needed < alert, `${needed} ${alert}`);
    for (const limit of limits) assert.ok(alert < 0.9 * limit, `${alert} ${limit}`);
  });
});

test("a supervisor gives a stop more time than the program takes at most", () => {
  const pod = OBJECTS.find(({ kind }) => kind === "Deployment").spec.template.spec;
  const given = [
    /^TimeoutStopSec=(\d+)$/m.exec(UNIT)?.[1],
    /^(\d+)s$/.exec(COMPOSE.services.goodword.stop_grace_period ?? "")?.[1],
    /docker run --stop-timeout (\d+) /.exec(DOCKERFILE)?.[1],
    pod.terminationGracePeriodSeconds,
  ];
  for (const seconds of given) assert.ok(Number(seconds) * 1000 > PROCESS_STOP_MS + 1_000, given.join());
});

/** What `systemd-analyze security` asks for, as far as a server that compiles code at run time can do without it. */
const SANDBOX: readonly string[] = [
  ...["DynamicUser=yes", "UMask=0077", "NoNewPrivileges=yes", "StateDirectoryMode=0700"],
  ...["ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "PrivateDevices=yes", "PrivateUsers=yes"],
  ...["ProtectKernelTunables=yes", "ProtectKernelModules=yes", "ProtectKernelLogs=yes", "ProtectControlGroups=yes"],
  ...["ProtectClock=yes", "ProtectHostname=yes", "ProtectProc=invisible", "ProcSubset=pid"],
  ...["RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX", "RestrictNamespaces=yes", "RestrictRealtime=yes"],
  ...["RestrictSUIDSGID=yes", "LockPersonality=yes", "CapabilityBoundingSet=", "AmbientCapabilities="],
  ...["SystemCallArchitectures=native", "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources"],
];

describe("the systemd unit", () => {
  test("has systemd read the settings, and starts where the program finds no file of its own", () => {
    assert.match(UNIT, /^EnvironmentFile=-\/etc\/goodword\.env$/m);
    const folder = /^WorkingDirectory=(\S+)$/m.exec(UNIT)?.[1] ?? "";
    assert.equal(folder, "/var/lib/goodword");
    assert.match(UNIT, /^StateDirectory=goodword$/m);
    for (const [line] of read("docs/operators.md").matchAll(/.*\bgoodword\.env\b.*/g)) {
      assert.ok(!line.includes(`${folder}/goodword.env`), line);
    }
  });

  test("takes from the service every right that it does not need", () => {
    const [service = ""] = UNIT.split("[Service]").slice(1);
    const lines = service.split("\n");
    for (const rule of SANDBOX) assert.ok(lines.includes(rule), rule);
    const granted = lines.filter((line) =>
      /^(Ambient|CapabilityBounding|SystemCallFilter|Restrict|Bind|ReadWrite|Device)/.test(line),
    );
    assert.deepEqual(
      granted.filter((line) => !SANDBOX.includes(line)),
      [],
      "nothing is given back",
    );
  });

  test("starts the Node among the dependencies, or else the machine's", () => {
    assert.match(UNIT, /^ExecStart=\/usr\/bin\/env node --permission /m);
    assert.match(UNIT, /^Environment=PATH=\/opt\/goodword\/node_modules\/\.bin:\/usr\/local\/bin:\/usr\/bin$/m);
    assert.match(UNIT, /^ {2}\/opt\/goodword\/bin\/goodword\.js serve$/m);
  });
});

test("a server has one worker thread of V8, and returns memory that the C library holds, where it runs for long", () => {
  for (const file of [DOCKERFILE, UNIT]) {
    assert.match(file, /\bMALLOC_TRIM_THRESHOLD_=262144\b/);
    assert.match(file, /\bMALLOC_MMAP_THRESHOLD_=32768\b/);
    assert.match(file, /\bNODE_OPTIONS=--v8-pool-size=1\b/);
  }
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: { readonly start: string } };
  assert.match(scripts.start, /^node --v8-pool-size=1 /);
});
