/** The content of a file, as far as it is told before anybody knows the format. */
import { Invalid } from "../issue.ts";
import type { InputFile } from "./input-file.ts";

export type Content =
  | { readonly syntax: "json"; readonly value: unknown }
  | { readonly syntax: "unknown"; readonly why: string };

/** Reads as much of a file as shows what it is. */
export async function readContent(file: InputFile): Promise<Content> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.bytes()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return { syntax: "json", value: JSON.parse(text) };
  } catch {
    if (file.named)
      throw new Invalid([{ code: "syntax", path: [file.name], message: `${file.name} is not valid JSON` }]);
    return { syntax: "unknown", why: "is not JSON" };
  }
}
