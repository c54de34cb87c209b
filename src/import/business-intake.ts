/**
 * Finds and reads the business file of an import. It comes first, because the dates of all reviews depend on its time
 * zone.
 */
import { isDeepStrictEqual } from "node:util";
import type { BusinessFile } from "../business.ts";
import { Invalid } from "../issue.ts";
import { isBusinessFile, readBusinessFile } from "./business-file.ts";
import type { ImportCounts } from "./import-counts.ts";
import type { InputFile } from "./source/input-file.ts";
import type { Inputs } from "./source/inputs.ts";

/** Reads the business that the business files describe; undefined without such a file. */
export async function takeInBusiness(
  files: readonly InputFile[],
  counts: ImportCounts,
): Promise<BusinessFile | undefined> {
  const found: { readonly file: InputFile; readonly business: BusinessFile }[] = [];
  for (const file of files) {
    try {
      found.push({ file, business: await readBusinessFile(file) });
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      counts.refuseFile(error.issues);
    }
  }
  const [first, ...others] = found;
  for (const { file, business } of others) {
    if (isDeepStrictEqual(business, first?.business)) continue;
    const message = `${file.name} describes another business than ${first?.file.name}, but a run imports one`;
    counts.refuseFile([{ code: "business", path: [file.name], message }]);
  }
  return first?.business;
}

/** The inputs that are business files. */
export async function businessFiles(inputs: Inputs): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const file of inputs.files) {
    // A damaged file is reported when its reviews are read.
    if (await isBusinessFile(file).catch((error) => !(error instanceof Invalid) && Promise.reject(error)))
      found.push(file);
  }
  return found;
}
