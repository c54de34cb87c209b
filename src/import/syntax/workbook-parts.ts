/** The parts of an .xlsx workbook besides its cells: which sheets there are, the shared texts, and which styles are dates. */
import type { InputFile } from "../input/input-file.ts";
import { isDateFormat, isMonthFormat, type MarkFormat, markFormat } from "./number-format.ts";
import { readSheetParts, readWhole, relationId, type SheetParts } from "./sheet-parts.ts";
import type { XmlAttributes } from "./xml-elements.ts";

/** As what a number is shown: itself, a date, a month alone, or a mark. */
type NumberStyle = "number" | "date" | "month" | MarkFormat;

/** What cells refer to. */
export interface CellContext {
  readonly sharedTexts: readonly string[];
  /** As what each style shows a number. */
  readonly styles: readonly NumberStyle[];
  /** The styles whose font strikes its text through, by their indexes. */
  readonly struckStyles: ReadonlySet<number>;
  /** Whether day 0 is that of old Macintosh computers, in 1904. */
  readonly isEpoch1904: boolean;
}

export interface WorkbookParts extends CellContext {
  /** The sheets with cells, in the order of their tabs. */
  readonly sheets: readonly {
    readonly name: string;
    readonly isHidden: boolean;
    readonly part: InputFile;
    readonly beside: SheetParts;
  }[];
}

const RELATION =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships\/(worksheet|sharedStrings|styles)$/;

/**
 * Reads everything but the cells.
 * @throws Error if a part is missing or damaged.
 */
export async function readParts(parts: ReadonlyMap<string, InputFile>): Promise<WorkbookParts> {
  const paths = await relatedPaths(partAt(parts, "xl/_rels/workbook.xml.rels"));
  const { sheets, isEpoch1904 } = await readOverview(partAt(parts, "xl/workbook.xml"));
  const texts = parts.get(paths.sharedStrings ?? "xl/sharedStrings.xml");
  const styles = parts.get(paths.styles ?? "xl/styles.xml");
  const worksheets = sheets.flatMap(({ name, isHidden, relation }) => {
    const path = paths.worksheets.get(relation);
    return path === undefined ? [] : [{ name, isHidden, path }]; // a sheet without cells, such as a chart
  });
  if (new Set(worksheets.map(({ path }) => path)).size < worksheets.length) throw new Error("two sheets are one part");
  const read = worksheets.map(async ({ path, ...sheet }) => {
    return { ...sheet, part: partAt(parts, path), beside: await readSheetParts(parts, path) };
  });
  return {
    isEpoch1904,
    sheets: await Promise.all(read),
    sharedTexts: texts === undefined ? [] : await readSharedTexts(texts),
    ...(styles === undefined ? { styles: [], struckStyles: new Set() } : await readStyles(styles)),
  };
}

function partAt(parts: ReadonlyMap<string, InputFile>, path: string): InputFile {
  const part = parts.get(path);
  if (part === undefined) throw new Error(`it has no ${path}`);
  return part;
}

interface RelatedPaths {
  /** The paths of worksheets by the ids of their relations. */
  readonly worksheets: Map<string, string>;
  sharedStrings?: string;
  styles?: string;
}

async function relatedPaths(part: InputFile): Promise<RelatedPaths> {
  const paths: RelatedPaths = { worksheets: new Map() };
  await readWhole(part, {
    open(name, { Id: id, Type: type, Target: target }) {
      const [, kind] = RELATION.exec(type ?? "") ?? [];
      if (name !== "Relationship" || kind === undefined || target === undefined) return;
      const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
      if (kind !== "worksheet") paths[kind as "sharedStrings" | "styles"] = path;
      else if (id !== undefined) paths.worksheets.set(id, path);
    },
  });
  return paths;
}

async function readOverview(part: InputFile) {
  const sheets: { readonly name: string; readonly isHidden: boolean; readonly relation: string }[] = [];
  let isEpoch1904 = false;
  await readWhole(part, {
    open(name, attributes) {
      if (name === "workbookPr") isEpoch1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
      if (name !== "sheet" || attributes.name === undefined) return;
      sheets.push({
        name: unescaped(attributes.name),
        isHidden: /^(?:hidden|veryHidden)$/.test(attributes.state ?? ""),
        relation: relationId(attributes),
      });
    },
  });
  return { sheets, isEpoch1904 };
}

async function readSharedTexts(part: InputFile): Promise<string[]> {
  const texts: string[] = [];
  const reader = textReader();
  await readWhole(part, {
    open(name) {
      if (name === "si") reader.begin();
      else reader.open(name);
    },
    close(name) {
      if (name === "si") texts.push(reader.end());
      else reader.close(name);
    },
    text: reader.text,
  });
  return texts;
}

/** Collects the text of an element: plain, or in runs of different fonts. Leaves out the pronunciation of Japanese text. */
export function textReader() {
  let text = "";
  let [isText, isPronunciation] = [false, false];
  return {
    begin() {
      text = "";
      isText = isPronunciation = false;
    },
    open(name: string) {
      if (name === "t") isText = true;
      if (name === "rPh") isPronunciation = true;
    },
    close(name: string) {
      if (name === "t") isText = false;
      if (name === "rPh") isPronunciation = false;
    },
    text(piece: string) {
      if (isText && !isPronunciation) text += piece;
    },
    /** The text since `begin`. */
    end: () => unescaped(text),
  };
}

/** Decodes characters that XML does not allow, which spreadsheets write as `_x0007_` (ECMA-376 part 1, §22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Reads as what each style of cells shows a number, and which strike their text through. A style without a number format
 * or font has that of its base.
 */
async function readStyles(part: InputFile): Promise<Pick<CellContext, "styles" | "struckStyles">> {
  const declared = new Map<string, NumberStyle>();
  const kindOf = (id: number, code?: string): NumberStyle => {
    if (isMonthFormat(id, code)) return "month";
    return isDateFormat(id, code) ? "date" : (markFormat(id, code) ?? "number");
  };
  const styleOf = (format: string) => declared.get(format) ?? kindOf(Number(format));
  const bases: XmlAttributes[] = [];
  const styles: NumberStyle[] = [];
  const struckStyles = new Set<number>();
  /** Of each font, whether it strikes through. */
  const fonts: boolean[] = [];
  let list: "fonts" | "bases" | "styles" | undefined;
  await readWhole(part, {
    open(name, attributes) {
      const { numFmtId: format, formatCode: code, xfId, val } = attributes;
      if (name === "numFmt" && format !== undefined) declared.set(format, kindOf(Number(format), code));
      else if (name === "fonts") list = "fonts";
      else if (name === "font" && list === "fonts") fonts.push(false);
      else if (name === "strike" && list === "fonts") fonts[fonts.length - 1] = !/^(?:0|false)$/.test(val ?? "");
      else if (name === "cellStyleXfs") list = "bases";
      else if (name === "cellXfs") list = "styles";
      else if (name === "xf" && list === "bases") bases.push(attributes);
      else if (name === "xf" && list === "styles") {
        const base = bases[Number(xfId)];
        if (fonts[Number(attributes.fontId ?? base?.fontId ?? 0)] === true) struckStyles.add(styles.length);
        styles.push(styleOf(format ?? base?.numFmtId ?? ""));
      }
    },
    close(name) {
      if (name === "fonts" || name === "cellStyleXfs" || name === "cellXfs") list = undefined;
    },
  });
  return { styles, struckStyles };
}
