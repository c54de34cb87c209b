/** What a report of `npm audit --json` says, in lines, and the exit code that follows from it. */

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
 * Judges the output of npm; `fault` says why there is none. Serious weaknesses end with 1. Where the registry could not
 * be asked, it ends with 0, because a machine without a network is no fault of the dependencies, or with 2 if `isRequired`.
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
