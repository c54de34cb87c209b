/** Goodword's own JSON and JSON Lines (interface §1): a list, `{reviews: […]}` as published, or one review per line. */
import { quote } from "../../../issue.ts";
import { isObject, members } from "../../../lib/json-object.ts";
import { type DateOrder, shownOrder } from "../../review/free-form-date.ts";
import type { Entry } from "../../review/raw-review.ts";
import type { Content } from "../../syntax/content.ts";
import { type Format, type Located, located } from "../format.ts";
import { findDateOrder, type PlacedDate } from "./date-order.ts";
import {
  areGoodwordReviewFields,
  dateNames,
  fieldNames,
  type GoodwordFields,
  goodwordFields,
  readGoodwordFields,
} from "./goodword-fields.ts";

/** At least one of the first records must have the required fields. */
const MAX_RECORDS_SAMPLED = 1000;

export const goodwordJson: Format = {
  name: "JSON",
  extent: () => "whole",
  recognises: (content) => {
    if (content.syntax === "json lines")
      return areGoodwordReviewFields(goodwordFields(Object.keys(members(content.first))));
    return content.syntax === "json" && find(content.value) !== undefined;
  },
  async *records(content, options): AsyncGenerator<Entry> {
    const fieldsOf = rememberedFields();
    const unknown = new Set<string>();
    let order: DateOrder | undefined = options.dates;
    let isOrderKnown = order !== undefined;
    for await (const located of records(content)) {
      if ("fault" in located) {
        yield located;
        continue;
      }
      const { at, record } = located;
      const fields = fieldsOf(record);
      for (const name of fields.unknown) if (unknown.size < 20) unknown.add(quote(name));
      if (!isOrderKnown && dateNames(fields).some((name) => shownOrder(record[name]) !== undefined)) {
        const found = await findDateOrder(placedDates(content));
        if ("refusal" in found) return yield { at: "", refusal: found.refusal };
        order = found.order;
        isOrderKnown = true;
      }
      yield { at, review: readGoodwordFields(fields, (name) => record[name], order), names: fieldNames(fields) };
    }
    if (unknown.size > 0) yield { at: "", warning: `does not use the members ${[...unknown].join(", ")}` };
  },
};

async function* placedDates(content: Content): AsyncGenerator<PlacedDate> {
  const fieldsOf = rememberedFields();
  for await (const located of records(content)) {
    if ("fault" in located) continue;
    const { at, record } = located;
    for (const name of dateNames(fieldsOf(record))) yield { value: record[name], at: `${at}, ${name}` };
  }
}

async function* records(content: Content): AsyncGenerator<Located | { at: string; fault: string }> {
  if (content.syntax === "json") yield* find(content.value) ?? [];
  if (content.syntax !== "json lines") return;
  for await (const line of content.lines()) {
    const at = `line ${line.line}`;
    if ("fault" in line) yield { at, fault: line.fault };
    else if (isObject(line.value)) yield { at, record: line.value };
    else yield { at, fault: `is ${quote(line.value)}, but must be an object` };
  }
}

function find(value: unknown): Located[] | undefined {
  const records = located(value, "") ??
    located(members(value).reviews, "reviews") ?? [{ at: "the object", record: members(value) }];
  return records
    .slice(0, MAX_RECORDS_SAMPLED)
    .some(({ record }) => areGoodwordReviewFields(goodwordFields(Object.keys(record))))
    ? records
    : undefined;
}

/** The fields of an object, cached by its member names. */
function rememberedFields(): (record: Readonly<Record<string, unknown>>) => GoodwordFields {
  const memo = new Map<string, GoodwordFields>();
  return (record) => {
    const names = Object.keys(record);
    const key = names.join("\0");
    const fields = memo.get(key) ?? goodwordFields(names);
    if (memo.size < 100) memo.set(key, fields);
    return fields;
  };
}
