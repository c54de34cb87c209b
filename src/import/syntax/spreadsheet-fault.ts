/** Why a spreadsheet is refused. */
import { Invalid } from "../../issue.ts";

/** A spreadsheet that exceeds a limit. The fault follows the file's name. */
export function tooLarge(name: string, fault: string): Invalid {
  return refusal(name, `${fault}, which is too large for a spreadsheet; save it as CSV and import that`);
}

/** A spreadsheet that cannot be read. */
export function damaged(name: string, reason: string): Invalid {
  return refusal(name, `is a damaged spreadsheet (${reason.slice(0, 200)}); open it and save it again`);
}

function refusal(name: string, fault: string): Invalid {
  return new Invalid([{ code: "spreadsheet", path: [name], message: `${name} ${fault}` }]);
}
