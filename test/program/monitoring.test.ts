/** Alerts, dashboard and documentation name figures that the running program has. `scripts/lint-deploy.ts` sees each alert fire. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { parse } from "yaml";
import { serveProgram, temporaryFolder } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const GUIDE = read("docs/monitoring.md");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const RULES = parse(read("deploy/alerts.yaml")).groups.flatMap((group: { rules: Rule[] }) => group.rules) as Rule[];

/** Figures that a server has only where there is something to say. */
const OCCASIONAL = ["goodword_source_failures", "goodword_store_last_change_timestamp_seconds"];

let exported: readonly string[] = [];

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The names of figures in a text, without what a histogram appends. */
function figuresIn(text: string): string[] {
  const names = text.matchAll(/\b(?:goodword|nodejs|process)_[a-z0-9_]+\b/g);
  return [...new Set(Array.from(names, ([name]) => name.replace(/_(bucket|sum|count)$/, "")))];
}

before(async () => {
  using folder = temporaryFolder();
  await using served = await serveProgram(folder.path, { ACCESS_LOG: "network" });
  const answer = await fetch(`${served.url}/reviews.json?from=here`);
  await answer.text();
  const line = await served.logged(({ msg }) => msg === "Request");
  assert.ok(answer.headers.get("X-Request-Id"));
  assert.equal(line.request, answer.headers.get("X-Request-Id"));
  assert.deepEqual([line.method, line.path, line.status], ["GET", "/reviews.json", 200]);
  const text = await (await fetch(`${served.url}/metrics`)).text();
  exported = Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = ""]) => name);
});

test("alerts and dashboard ask for figures that the program has", () => {
  for (const file of ["deploy/alerts.yaml", "deploy/alerts.test.yaml", "deploy/grafana.json"]) {
    const text = file.endsWith(".json") ? read(file) : read(file).replace(/^\s+runbook:.*$/gm, "");
    const unknown = figuresIn(text).filter((name) => !exported.includes(name));
    assert.deepEqual(unknown, [], file);
  }
});

test("every figure of the program is documented, and every documented one exists", () => {
  const own = exported.filter((name) => name.startsWith("goodword_"));
  assert.ok(own.length > 20);
  const documented = figuresIn(GUIDE).filter((name) => name.startsWith("goodword_"));
  assert.deepEqual(documented.toSorted(), own.toSorted());
  for (const name of OCCASIONAL) assert.ok(own.includes(name), name);
});

test("every alert is explained where it says, and has a case on which it fires", () => {
  const cases = parse(read("deploy/alerts.test.yaml")).tests as { alert_rule_test: AlertCase[] }[];
  const firing = cases.flatMap((one) => one.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length > 0);
  const silent = cases.flatMap((one) => one.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length === 0);
  for (const { alert, annotations } of RULES) {
    assert.equal(annotations.runbook, `docs/monitoring.md#${alert.toLowerCase()}`);
    assert.match(GUIDE, new RegExp(`^### ${alert}$`, "m"));
    assert.ok(
      firing.some(({ alertname }) => alertname === alert),
      `${alert} fires nowhere`,
    );
    assert.ok(
      silent.some(({ alertname }) => alertname === alert),
      `${alert} is silent nowhere`,
    );
  }
});

interface AlertCase {
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}
