/**
 * The folder of the program, which holds its data: taxonomies, models, the sample, style sheets. This file lies one folder
 * below it, and so does what `npm run build` makes of it.
 */
import { join } from "node:path";

export const PROGRAM_FOLDER = join(import.meta.dirname, "..");
