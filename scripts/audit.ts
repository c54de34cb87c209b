/**
 * Asks the registry whether a known weakness lies in what is installed with the program. Where no registry can be asked,
 * it says so and ends with 0, or with `--required` with 2.
 *
 *   npm run audit [-- --required]
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { judgeAudit } from "./audit-report.ts";

const ROOT = join(import.meta.dirname, "..");
const ARGUMENTS = ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--fetch-timeout=20000"];

const { stdout, error } = spawnSync("npm", ARGUMENTS, { cwd: ROOT, encoding: "utf8", timeout: 60_000, maxBuffer: 1e8 });
const isRequired = process.argv.includes("--required");
const { lines, exitCode } = judgeAudit(stdout, { fault: error?.message ?? "", isRequired });
for (const line of lines) console.log(line);
process.exitCode = exitCode;
