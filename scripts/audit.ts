/**
 * Asks the registry whether a known weakness lies in what is installed with the program. Where no registry can be asked,
 * it says so and ends with 0: a machine without a network is no fault of the dependencies.
 *
 *   npm run audit
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const ARGUMENTS = ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=20000"];
const SERIOUS = ["high", "critical"];

interface Report {
  readonly error?: { readonly code?: string; readonly summary?: string };
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

const { stdout, error } = spawnSync("npm", ARGUMENTS, { cwd: ROOT, encoding: "utf8", timeout: 60_000, maxBuffer: 1e8 });
const report = parse(stdout);

if (error !== undefined || report?.vulnerabilities === undefined) {
  const reason = report?.message ?? report?.error?.summary ?? error?.message ?? "it gave no report";
  console.log(`Nothing was audited: the registry could not be asked (${reason}).`);
} else {
  const found = Object.entries(report.vulnerabilities);
  for (const [name, { severity, range }] of found) console.log(`${severity}: ${name} ${range}`);
  const serious = found.filter(([, { severity }]) => SERIOUS.includes(severity));
  console.log(`${found.length} packages with known weaknesses, ${serious.length} of them high or critical.`);
  if (serious.length > 0) process.exitCode = 1;
}

function parse(text: string | null): Report | undefined {
  try {
    return JSON.parse(text ?? "") as Report;
  } catch {
    return undefined;
  }
}
