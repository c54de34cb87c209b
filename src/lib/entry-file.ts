/** The files of worker threads and processes, which are entry points of the build. */
import { extname } from "node:path";

/** The file of a thread or process beside the module at `url`, in the source and in the build. */
export function entryFile(name: string, url: string): URL {
  return new URL(`./${name}${extname(url)}`, url);
}
