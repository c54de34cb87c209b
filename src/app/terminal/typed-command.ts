/** Commands in hints, as the user must type them. */

const COMMANDS =
  "serve|desk|import|check|init|remove|redact|readmit|removed|correct|corrections|uncorrect|vanished|digest|withdraw|history|undo|restore|sources|migrate-store|export|sites|subscriptions|notices|backup|config|completion|--help";
const HINT = new RegExp(`(?<![\\w/.-])(?:npx )?goodword (?=(?:${COMMANDS})(?![\\w-]))`, "g");

/** npm commands that run a program of the folder's own, which the shell does not find by name. */
const LOCAL_NPM_COMMANDS = new Set(["exec", "start"]);

/** Puts `npx` before each `goodword COMMAND` of a text if npm started this program. */
export function asTyped(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const program = LOCAL_NPM_COMMANDS.has(environment.npm_command ?? "") ? "npx goodword" : "goodword";
  return text.replace(HINT, `${program} `);
}
