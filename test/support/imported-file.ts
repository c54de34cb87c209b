/** What an import makes of one file, for tests of what it reads. */
import { openSandbox } from "./import-sandbox.ts";

type Content = string | Buffer | object;

/** The rows by their authors, the authors of what is published, and the warnings. */
export async function imported(name: string, content: Content, source = "google") {
  await using box = await openSandbox();
  const report = await box.take(box.write(name, content), { source });
  const rows = (await box.rows()).toSorted((a, b) => (a.author < b.author ? -1 : 1));
  const shown = (await box.reviews()).map(({ author }) => author).toSorted();
  return { rows, shown, warnings: report.warnings.join("\n") };
}

/** The messages with which the file is refused. */
export async function refused(name: string, content: Content, source = "google") {
  await using box = await openSandbox();
  return (await box.refusal(box.write(name, content), { source })).join("\n");
}
