/**
 * Asks the registry for known weaknesses in the dependencies that are installed with the program. If no registry can be
 * asked, it says so and ends with 0, or with `--required` with 2.
 *
 *   node scripts/audit.ts [--required]
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

export interface Audit {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads the output of `npm audit --json`; `fault` is the reason if there is none. High and critical weaknesses end with 1.
 * If no registry could be asked, it ends with 0, because dependencies are not at fault there, or with 2 if `isRequired`.
 */
export function judgeAudit(output: string | null, { fault = "", isRequired = false } = {}): Audit {
  const report = parse(output);
  if (report?.vulnerabilities === undefined) {
    const reason = report?.message || report?.error?.summary || fault || "it gave no report";
    const lines = [`Nothing was audited: the registry could not be asked (${reason}).`];
    return { lines, exitCode: isRequired ? 2 : 0 };
  }
  const found = Object.entries(report.vulnerabilities);
  const serious = found.filter(([, { severity }]) => SERIOUS.includes(severity));
  return {
    lines: [
      ...found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`),
      `${found.length} packages with known weaknesses, ${serious.length} of them high or critical.`,
    ],
    exitCode: serious.length > 0 ? 1 : 0,
  };
}

function parse(text: string | null): Report | undefined {
  try {
    return JSON.parse(text ?? "") as Report;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const options = { cwd: ROOT, encoding: "utf8", timeout: 60_000, maxBuffer: 1e8 } as const;
  const { stdout, error } = spawnSync("npm", ARGUMENTS, options);
  const isRequired = process.argv.includes("--required");
  const { lines, exitCode } = judgeAudit(stdout, { fault: error?.message ?? "", isRequired });
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
}
