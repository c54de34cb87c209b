/** The rows of a spreadsheet's sheet, read as a stream. The place of each cell is checked when it is read. */
import { Invalid, quote } from "../../issue.ts";
import type { InputFile } from "../input/input-file.ts";
import { relationId } from "./sheet-parts.ts";
import { damaged, tooLarge } from "./spreadsheet-fault.ts";
import { type CellContext, textReader, unescaped } from "./workbook-parts.ts";
import { readElements, type XmlAttributes } from "./xml-elements.ts";

export type CellValue = string | number | boolean | Date;

export interface SheetRow {
  /** Its number in the sheet, from 1. */
  readonly number: number;
  /** The values by column, from 0. Empty cells have none. */
  readonly cells: readonly (CellValue | undefined)[];
  readonly hidden?: HiddenRow | undefined;
}

/** How a row is not shown: hidden by hand, by a filter or in a closed group, or each of its cells struck through. */
export type HiddenRow = "hidden row" | "struck-through row";

/** Merged cells: their value stands in the first one. Rows count from 1, columns from 0. */
interface MergedCells {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** What a sheet says besides its rows; complete when these have been read. */
export interface SheetLayout {
  readonly hiddenColumns: Set<number>;
  /** Those over several rows. */
  readonly merged: MergedCells[];
  /** Where cells lead, by their rows and columns: an address, or the id of a relation behind `#`. */
  readonly links: Map<number, Map<number, string>>;
  /** How many cells hold a formula whose result is not saved. */
  unsaved: number;
}

/** The size of a sheet in every spreadsheet program. */
const [MAX_ROWS, MAX_COLUMNS] = [1_048_576, 16_384];
/** Limits the rows times the columns, because a table has as many cells. */
const MAX_CELLS = 5_000_000;
const MAX_MERGED = 100_000;
/** Further cells are read without their links. */
const MAX_LINKED = 500_000;
const MAX_FORMULA = 3_000;
const HYPERLINK = /^HYPERLINK\("(https?:[^"]+)"/i;
const DAY_MS = 86_400_000;
/** The numbers of 1 January 1970, counted from 30 December 1899 and from 1 January 1904. */
const [UNIX_DAY_1900, UNIX_DAY_1904] = [25_569, 24_107];

/**
 * Reads the rows, some at a time, in ascending order. Empty rows may be left out. `file` is the workbook's name;
 * `layout` is filled on the way.
 * @throws Invalid if the sheet is damaged or too large.
 */
export async function* sheetRows(
  file: string,
  part: InputFile,
  context: CellContext & { readonly layout?: SheetLayout },
): AsyncGenerator<readonly SheetRow[]> {
  let rows: SheetRow[] = [];
  const reader = rowReader(file, context, (row) => rows.push(row));
  try {
    for await (const _ of readElements(part.bytes(), reader)) {
      if (rows.length === 0) continue;
      const finished = rows;
      rows = [];
      yield finished;
    }
  } catch (error) {
    throw error instanceof Invalid ? error : damaged(file, (error as Error).message);
  }
}

/** Makes a reader of a sheet's elements. A row or cell without a place follows the one before it. */
function rowReader(
  file: string,
  { layout, ...context }: CellContext & { readonly layout?: SheetLayout },
  onRow: (row: SheetRow) => void,
) {
  let isInside = false;
  let isRowHidden = false;
  /** How many cells of the open row have a value, and how many of those are struck through. */
  let [filled, struck] = [0, 0];
  /** The last column of which is known whether it is hidden. */
  let toldColumns = 0;
  let [row, column] = [0, 0];
  /** The highest column with a cell so far. */
  let width = 0;
  /** The cells of the open row, and the attributes of the open cell. */
  let cells: CellValue[] | undefined;
  let isRowPlaced = false;
  let cell: XmlAttributes | undefined;
  let value: string | undefined;
  let isValue = false;
  let isInline = false;
  /** The formula of the open cell, as far as it may be a link's. */
  let formula: string | undefined;
  let [isFormula, hasFormula] = [false, false];
  const inline = textReader();

  function openColumns({ min = "", max = "", hidden, width: shown }: XmlAttributes): void {
    const from = Math.max(toldColumns, Number(min) - 1);
    toldColumns = Math.max(toldColumns, Math.min(Number(max), MAX_COLUMNS) || 0);
    if (!isTrue(hidden) && Number(shown ?? 1) !== 0) return;
    for (let index = from; index < toldColumns; index += 1) layout?.hiddenColumns.add(index);
  }

  function addMerged({ ref = "" }: XmlAttributes): void {
    const [, letters = "", first, last] = /^([A-Z]{1,3})([1-9]\d{0,6}):[A-Z]{1,3}([1-9]\d{0,6})$/.exec(ref) ?? [];
    if (Number(last) <= Number(first) || last === undefined) return;
    layout?.merged.push({ column: columnNumber(letters) - 1, first: Number(first), last: Number(last) });
    if (layout !== undefined && layout.merged.length > MAX_MERGED)
      throw tooLarge(file, `has a sheet with more than ${MAX_MERGED} merged cells`);
  }

  /** How many cells lead somewhere, so far. */
  let linked = 0;

  function addLink(at: number, index: number, target: string): void {
    const links = layout?.links;
    linked += 1;
    if (links === undefined || linked > MAX_LINKED) return;
    links.getOrInsertComputed(at, () => new Map()).set(index, target);
  }

  function addHyperlink(attributes: XmlAttributes): void {
    const [, letters = "", first, last] =
      /^([A-Z]{1,3})([1-9]\d{0,6})(?::\1([1-9]\d{0,6}))?$/.exec(attributes.ref ?? "") ?? [];
    const id = relationId(attributes);
    if (first === undefined || id === "") return;
    for (let at = Number(first); at <= Number(last ?? first) && linked < MAX_LINKED; at += 1)
      addLink(at, columnNumber(letters) - 1, `#${id}`);
  }

  function openRow({ r, hidden, ht }: XmlAttributes): void {
    isRowHidden = isTrue(hidden) || Number(ht ?? 1) === 0;
    const next = r === undefined ? row + 1 : numberAt(r);
    if (next === undefined || next > MAX_ROWS)
      throw tooLarge(file, `has a row ${quote(r ?? next)}, but a sheet may have ${MAX_ROWS} rows`);
    if (next <= row) throw new Error(`row ${next} follows row ${row}`);
    [row, column] = [next, 0];
    isRowPlaced = r !== undefined;
    cells = [];
    filled = struck = 0;
    checkSize();
  }

  function openCell(attributes: XmlAttributes): void {
    const [, letters, digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(attributes.r ?? "") ?? [];
    const next = letters === undefined ? column + 1 : columnNumber(letters);
    if ((attributes.r !== undefined && letters === undefined) || next > MAX_COLUMNS)
      throw tooLarge(file, `has a cell at ${quote(attributes.r ?? next)}, but a sheet ends at XFD${MAX_ROWS}`);
    if (!isRowPlaced && Number(digits) > row) row = Number(digits);
    isRowPlaced = true;
    if (cells === undefined || (digits !== undefined && Number(digits) !== row))
      throw new Error(`cell ${quote(attributes.r)} is not in its row`);
    if (next <= column) throw new Error(`in row ${row}, column ${next} follows column ${column}`);
    column = next;
    width = Math.max(width, column);
    checkSize();
    cell = attributes;
    value = undefined;
    inline.begin();
    isValue = isInline = isFormula = hasFormula = false;
    formula = undefined;
  }

  function checkSize(): void {
    if (row * width > MAX_CELLS)
      throw tooLarge(file, `has a sheet of ${row} rows and ${width} columns, but may have ${MAX_CELLS} cells`);
  }

  function closeCell({ t, s: style }: XmlAttributes): void {
    const type = t || "n";
    const read = type === "inlineStr" ? inline.end() : cellValue(type, value, style, context);
    if (read === undefined) throw new Error(`row ${row}, column ${column}: ${quote(value)} is no value of its type`);
    if (hasFormula && value === undefined && layout !== undefined) layout.unsaved += 1;
    if (read !== "" && cells !== undefined) {
      cells[column - 1] = read;
      filled += 1;
      const target = HYPERLINK.exec(formula ?? "")?.[1];
      if (target !== undefined) addLink(row, column - 1, target);
      if (context.struckStyles.has(Number(style ?? 0))) struck += 1;
    }
    cell = undefined;
  }

  function closeRow(): void {
    const hidden = isRowHidden ? "hidden row" : filled > 0 && struck === filled ? "struck-through row" : undefined;
    if (cells !== undefined) onRow({ number: row, cells, hidden });
    cells = undefined;
  }

  return {
    open(name: string, attributes: XmlAttributes) {
      if (name === "sheetData") isInside = true;
      else if (!isInside && name === "col") openColumns(attributes);
      else if (!isInside && name === "mergeCell") addMerged(attributes);
      else if (!isInside && name === "hyperlink") addHyperlink(attributes);
      else if (!isInside) return;
      else if (name === "row") openRow(attributes);
      else if (name === "c") openCell(attributes);
      else if (name === "v") isValue = true;
      else if (name === "f") isFormula = hasFormula = true;
      else if (name === "is") isInline = true;
      else if (isInline) inline.open(name);
    },
    close(name: string) {
      if (name === "sheetData") isInside = false;
      else if (!isInside) return;
      else if (name === "row") closeRow();
      else if (name === "c" && cell !== undefined) closeCell(cell);
      else if (name === "v") isValue = false;
      else if (name === "f") isFormula = false;
      else if (name === "is") isInline = false;
      else inline.close(name);
    },
    text(text: string) {
      if (isValue) value = (value ?? "") + text;
      else if (isFormula && (formula?.length ?? 0) < MAX_FORMULA) formula = (formula ?? "") + text;
      else if (isInline) inline.text(text);
    },
  };
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === "1" || attribute === "true";
}

/** A whole number from 1 with at most seven digits. */
function numberAt(text: string): number | undefined {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}

/** The number of a column: `A` is 1, `AA` is 27. */
function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The value of a cell; empty text for none; undefined if it cannot be one of its type. */
function cellValue(
  type: string,
  value: string | undefined,
  style: string | undefined,
  { sharedTexts, styles, isEpoch1904 }: CellContext,
): CellValue | undefined {
  if (type === "e" || value === undefined || value === "") return ""; // "e": a formula failed
  if (type === "str") return unescaped(value);
  if (type === "s") return /^\d{1,8}$/.test(value) ? sharedTexts[Number(value)] : undefined;
  if (type === "b") return value === "1" || (value === "0" ? false : undefined);
  if (type === "d") return Number.isNaN(Date.parse(value)) ? undefined : new Date(value);
  if (type !== "n") return undefined;
  const number = Number(value);
  const shown = style === undefined || style === "" ? "number" : styles[Number(style)];
  if (Number.isNaN(number) || shown === undefined) return undefined;
  if (typeof shown === "object") return `${Number((number * shown.factor).toPrecision(12))}${shown.behind}`;
  if (shown === "number") return number;
  const date = new Date(Math.floor((number - (isEpoch1904 ? UNIX_DAY_1904 : UNIX_DAY_1900)) * DAY_MS));
  // A typed "Jan 2026" is stored as the month's first day, which nobody has named.
  return shown === "month" && date.getUTCDate() === 1 ? date.toISOString().slice(0, 7) : date;
}
