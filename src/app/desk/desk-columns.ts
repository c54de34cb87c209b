/** The desk's choice of columns: what each field is read from, with what stands there, and the first rows of each table. */
import { html } from "hono/html";
import type { TableSample } from "../../import/file-samples.ts";
import { MAPPABLE_FIELDS, type MappableField } from "../../import/format/column-mapping.ts";
import { plainLine } from "../../lib/printable-text.ts";
import type { Markup } from "../../page/text/markup.ts";
import { beginning } from "../../page/text/printable.ts";
import { fill } from "../../page/text/words.ts";
import { deskAdvice } from "./desk-advice.ts";
import { type DeskRequest, fieldFaults, fieldState, renderTable } from "./desk-frame.ts";
import type { ImportSettings } from "./import-jobs.ts";

interface ChoiceNotes {
  readonly hint?: string | undefined;
  /** What a check says of it. */
  readonly said?: readonly string[];
  /** Whether nothing can be read before it is chosen. */
  readonly isWrong?: boolean;
  /** What counts if nothing is chosen. */
  readonly otherwise?: string | undefined;
}

/** A field with the choices, each a value and its words. The first one is none of them. */
export function renderChoice(
  name: string,
  label: string,
  choices: readonly (readonly [string, string])[],
  chosen: string | undefined,
  { hint, said = [], isWrong = false, otherwise = "–" }: ChoiceNotes = {},
): Markup {
  const known =
    chosen === undefined || choices.some(([value]) => value === chosen)
      ? choices
      : [...choices, [chosen, plainLine(chosen)] as const];
  return html`<p><label for="${name}">${label}</label><select id="${name}" name="${name}"${fieldState(name, said, hint === undefined ? undefined : `${name}-hint`, isWrong)}><option value="">${otherwise}</option>${known.map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ""}>${text}</option>`,
  )}</select>${hint === undefined ? "" : html`<span class="soft" id="${name}-hint">${hint}</span>`}</p>${fieldFaults(name, said)}`;
}

/** What a table of reviews usually has. */
const MAIN_FIELDS: readonly MappableField[] = ["rating", "date", "author", "text", "owner_reply_text"];
const [MAX_VALUE_LENGTH, MAX_SAID] = [24, 2];

/** What a check says: why it refuses, and what it warns of. */
export interface CheckMessages {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** The fields whose columns a message of the check asks to be named. */
export function columnsNamed(message: string): MappableField[] {
  const named = [...message.matchAll(/--columns ((?:\w+=(?:"[^"]*"|…),?)+)/g)].flatMap(([, pairs = ""]) =>
    [...pairs.matchAll(/(\w+)=(?:"[^"]*"|…)/g)].map(([, field = ""]) => field),
  );
  return MAPPABLE_FIELDS.filter((field) => named.includes(field));
}

/** A field for each part of a review with the names of all columns, and the first rows of each table. */
export function renderColumns(
  request: DeskRequest,
  tables: readonly TableSample[],
  { settings: { columns = {} }, messages }: { readonly settings: ImportSettings; readonly messages: CheckMessages },
): Markup {
  const { words } = request;
  const { importing } = words;
  const says = (some: readonly string[], field: MappableField) =>
    some.filter((message) => columnsNamed(message).includes(field)).slice(0, MAX_SAID);
  const names = [...new Set(tables.flatMap((table) => table.columns))].filter((name) => name !== "");
  const choices = names.map((name) => [name, plainLine([name, ...valuesOf(tables, name)].join(" · "))] as const);
  const choice = (field: MappableField) => {
    const [found, isWrong] = [namesFound(tables, field), says(messages.faults, field).length > 0];
    const said = says([...messages.faults, ...messages.warnings], field).map((message) =>
      isWrong && found.length === 0 ? importing.noColumn : deskAdvice(message, words),
    );
    const missing = isWrong ? importing.noChoice : "–";
    const hint = found.length === 0 ? importing.notFound : foundFor(request, tables, field);
    const otherwise = found.length === 0 ? missing : fill(importing.asFound, { columns: found.join(", ") });
    const notes = { hint, said: [...new Set(said)], isWrong, otherwise };
    return html`<div>${renderChoice(`column_${field}`, importing.columns[field], choices, columns[field], notes)}</div>`;
  };
  const others = MAPPABLE_FIELDS.filter((field) => !MAIN_FIELDS.includes(field));
  const all = [...messages.faults, ...messages.warnings].flatMap(columnsNamed);
  const isOpen = others.some((field) => all.includes(field) || columns[field] !== undefined);
  return html`<p class="soft">${importing.columnsHint}</p><div class="fields">${MAIN_FIELDS.map(choice)}</div>
<details${isOpen ? html` open` : ""}><summary>${importing.moreColumns}</summary><div class="fields">${others.map(choice)}</div></details>
${tables.map(({ file, columns: heads, rows }) =>
  renderTable(
    plainLine(file),
    heads.map(plainLine),
    rows.map((row) => heads.map((_, at) => row[at] ?? "")),
    plainLine(file),
  ),
)}`;
}

/** The columns that the field is read from. */
function namesFound(tables: readonly TableSample[], field: MappableField): string[] {
  return [...new Set(tables.flatMap((table) => table.found[field] ?? []))].map(plainLine);
}

/** What the field is read from, and what stands there in the first rows. */
function foundFor({ words }: DeskRequest, tables: readonly TableSample[], field: MappableField): string {
  const { importing, quoted } = words;
  const read = tables.flatMap((table) =>
    (table.found[field] ?? []).map((name) => {
      const values = valuesOf([table], name);
      return `${fill(quoted, { text: name })}${values.length === 0 ? "" : ` (${values.join(" · ")})`}`;
    }),
  );
  return plainLine(fill(importing.readFrom, { columns: [...new Set(read)].join(", ") }));
}

/** The first values of a column, shortened. */
function valuesOf(tables: readonly TableSample[], name: string): string[] {
  const table = tables.find(({ columns }) => columns.includes(name));
  const at = table?.columns.indexOf(name) ?? -1;
  const cells = table?.rows.flatMap((row) => row[at]?.trim() || []) ?? [];
  return cells.map((cell) => beginning(cell, MAX_VALUE_LENGTH).text);
}
