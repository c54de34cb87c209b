/** What belongs to a sheet of a workbook and stands in parts of its own: the notes of its cells, and where its links lead. */
import { posix } from "node:path";
import type { InputFile } from "../input/input-file.ts";
import { type ElementReader, localName, readElements } from "./xml-elements.ts";

export interface SheetParts {
  /** Where links lead, by the ids of their relations. */
  readonly links: ReadonlyMap<string, string>;
  /** The words of the cells' notes. */
  readonly notes: readonly string[];
}

const MAX_LINKS = 200_000;
const MAX_NOTES = 10_000;
const MAX_NOTE = 1_000;

/** Reads the parts that the sheet at `path` refers to. */
export async function readSheetParts(parts: ReadonlyMap<string, InputFile>, path: string): Promise<SheetParts> {
  const links = new Map<string, string>();
  const notes: string[] = [];
  const relations = parts.get(path.replace(/([^/]+)$/, "_rels/$1.rels"));
  if (relations === undefined) return { links, notes };
  const ofNotes: string[] = [];
  await readWhole(relations, {
    open(name, { Id: id, Type: type = "", Target: target, TargetMode: mode }) {
      if (name !== "Relationship" || target === undefined) return;
      if (/\/(?:comments|threadedComment)$/.test(type)) ofNotes.push(partPath(path, target));
      const isLink = type.endsWith("/hyperlink") && mode === "External" && /^https?:/i.test(target);
      if (isLink && id !== undefined && links.size < MAX_LINKS) links.set(id, target);
    },
  });
  // A conversation stands there twice: as itself, and as a note for older programs, which begins so.
  for (const one of ofNotes) notes.push(...(await readNotes(parts.get(one))));
  return { links, notes: notes.filter((words) => !words.startsWith("[Threaded comment]")) };
}

/** `../comments1.xml` of `xl/worksheets/sheet1.xml` */
function partPath(from: string, target: string): string {
  return target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(from), target);
}

async function readNotes(part: InputFile | undefined): Promise<string[]> {
  const notes: string[] = [];
  let [words, isText] = ["", false];
  if (part === undefined) return notes;
  await readWhole(part, {
    open(name) {
      if (/^(?:comment|threadedComment)$/.test(name)) words = "";
      isText = name === "t" || name === "text";
    },
    close(name) {
      isText = false;
      if (/^(?:comment|threadedComment)$/.test(name) && words.trim() !== "" && notes.length < MAX_NOTES)
        notes.push(words.trim());
    },
    text(piece) {
      if (isText && words.length < MAX_NOTE) words += piece;
    },
  });
  return notes;
}

/** The id of a relation among an element's attributes, whatever its prefix; empty without one. */
export function relationId(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => localName(name) === "id")?.[1] ?? "";
}

/** Reads a part to its end. */
export async function readWhole(part: InputFile, reader: Partial<ElementReader>): Promise<void> {
  const whole = { open() {}, close() {}, text() {}, ...reader };
  for await (const _ of readElements(part.bytes(), whole));
}
