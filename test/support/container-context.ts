/** What a container is built from, by `.dockerignore` and the Dockerfile's own lines: no container engine is needed. */
import { cpSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";

/** A stage of the Dockerfile: what it copies from the context, and the commands that it runs. */
export interface Stage {
  readonly copied: readonly string[];
  readonly commands: readonly string[];
}

/** The stages of the Dockerfile in a folder, by name; the last one, which has none, is called `image`. */
export function stagesOf(folder: string): ReadonlyMap<string, Stage> {
  const text = readFileSync(join(folder, "deploy", "Dockerfile"), "utf8");
  const [, ...stages] = text.split(/^FROM \S+/m);
  return new Map(
    stages.map((lines) => [
      /^ AS (\w+)$/m.exec(lines)?.[1] ?? "image",
      {
        copied: [...lines.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" ")),
        commands: [...lines.matchAll(/^RUN (.+)$/gm)].map(([, command = ""]) => command),
      },
    ]),
  );
}

/**
 * Whether the folder's `.dockerignore` keeps a file out: the last line that fits it, or a folder above it, decides.
 * Source: https://docs.docker.com/build/concepts/context/#dockerignore-files
 */
export function openIgnored(folder: string): (file: string) => boolean {
  const lines = readFileSync(join(folder, ".dockerignore"), "utf8").trim().split("\n");
  return (file) => {
    const parts = file.split("/");
    const paths = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    const last = lines.findLast((line) => paths.some((path) => matchesGlob(path, line.replace(/^!/, ""))));
    return last !== undefined && !last.startsWith("!");
  };
}

/** Copies into `to` what a stage copies from the context in `from`. @throws Error for what is not in the context. */
export function copyStage(from: string, to: string, { copied }: Stage): void {
  const isIgnored = openIgnored(from);
  const kept = (path: string) => !isIgnored(path.slice(from.length + 1));
  for (const name of copied) {
    if (!kept(join(from, name))) throw new Error(`.dockerignore keeps ${name} out of the container`);
    cpSync(join(from, name), join(to, name), { recursive: true, filter: kept });
  }
}
