/** Our own CSV (interface §1): a header row in any order and common spellings, rating and date needed. */
import { quote } from "../../issue.ts";
import type { Entry } from "../review/raw-review.ts";
import type { Format } from "./format.ts";
import { areGoodwordReviewFields, fieldNames, goodwordFields, readGoodwordFields } from "./goodword-fields.ts";

export const goodwordCsv: Format = {
  name: "CSV",
  extent: () => "whole",
  recognises: (content) => content.syntax === "csv" && areGoodwordReviewFields(goodwordFields(content.columns)),
  async *records(content): AsyncGenerator<Entry> {
    if (content.syntax !== "csv") return;
    const fields = goodwordFields(content.columns);
    const names = fieldNames(fields);
    const indexes = new Map(content.columns.map((column, index) => [column, index]));
    const unknown = fields.unknown.map((column) => quote(column)).join(", ");
    if (unknown !== "") yield { at: "line 1", warning: `does not use the columns ${unknown}` };
    for await (const row of content.rows()) {
      const at = `line ${row.line}`;
      if ("fault" in row) yield { at, fault: row.fault };
      else yield { at, review: readGoodwordFields(fields, (name) => row.cells[indexes.get(name) ?? -1]), names };
    }
  },
};
