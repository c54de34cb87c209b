/** Real exports to test with, which stand beside the project and are no part of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "..", "shared", "data");

/** The path of a file of the real data. */
export function sharedData(...parts: string[]): string {
  return join(FOLDER, ...parts);
}

/** Why a test that needs the real data is skipped, or false where it is there. */
export const withoutSharedData: string | false = existsSync(FOLDER)
  ? false
  : "the real data (../shared/data) is not here";

export const TAKEOUT = sharedData("takeout-sv");
