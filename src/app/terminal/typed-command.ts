/** Hints that can be copied: they name the program as the user can run it. */

const COMMANDS =
  "serve|import|check|init|remove|redact|readmit|removed|withdraw|history|undo|restore|sources|migrate-store|export|subscriptions|backup|config|completion|--help";
const HINT = new RegExp(`(?<![\\w/.-])(?:npx )?goodword (?=(?:${COMMANDS})(?![\\w-]))`, "g");

/** Commands of npm that run a program which is installed in a folder only; its name alone is not found there. */
const LOCAL = new Set(["exec", "start"]);

/** The text with each `goodword COMMAND` as it is to be typed: after `npx` where npm started this program. */
export function asTyped(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const program = LOCAL.has(environment.npm_command ?? "") ? "npx goodword" : "goodword";
  return text.replace(HINT, `${program} `);
}
