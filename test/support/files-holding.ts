/** Looks for words in every file of a folder, as somebody would who has the disk. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Only words of this length are certain to stand nowhere by chance; their beginnings are looked for. */
const LENGTH = 8;

/** The beginnings of the long words of the texts. */
export function beginnings(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...new Set(words.filter(({ length }) => length >= LENGTH).map((word) => word.slice(0, LENGTH)))];
}

/** The bytes in which a word may be written: in several encodings, and escaped for JSON, addresses and HTML. */
function spellings(word: string): Buffer[] {
  const escaped = (codeOf: (hex: string) => string) =>
    word.replace(/[^\x20-\x7e]/g, (letter) => codeOf(letter.charCodeAt(0).toString(16).padStart(4, "0")));
  const texts = [word, escaped((hex) => `\\u${hex}`), escaped((hex) => `&#x${hex};`), encodeURIComponent(word)];
  const bytes = (["utf8", "latin1", "utf16le"] as const).map((encoding) => Buffer.from(word, encoding));
  return [...bytes, ...texts.map((text) => Buffer.from(text))];
}

/**
 * The files below a folder that hold a long word of the texts, each with the word. A file that a running server deletes
 * meanwhile holds none. Without `isRead` every file is read.
 */
export function filesHolding(
  folder: string,
  texts: readonly string[],
  isRead: (path: string) => boolean = () => true,
): string[] {
  const words = beginnings(texts).map((word) => ({ word, forms: spellings(word) }));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name)).filter(isRead);
  return files.flatMap((file) => {
    const bytes = readIfThere(file);
    const found = words.filter(({ forms }) => forms.some((form) => bytes.includes(form)));
    return found.map(({ word }) => `${file.slice(folder.length + 1)}: ${word}`);
  });
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
