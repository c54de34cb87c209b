/** The data dictionary: the fields of every response, from the schemas in the OpenAPI description. */
import { html } from "hono/html";
import { withCode } from "../part/code-sample.ts";
import type { Markup } from "../text/markup.ts";
import type { Description, SchemaPart } from "./openapi-types.ts";

/** Renders one table per schema; nested fields are rows with dotted names. */
export function renderDictionary({ components }: Description): Markup {
  return html`${Object.entries(components.schemas).map(
    ([
      id,
      schema,
    ]) => html`<section class="card operation schema" aria-labelledby="schema-${id}"><h3 id="schema-${id}">${schema.title ?? id} <code>${id}</code></h3>
<div class="scroll" tabindex="0" role="region" aria-label="Fields of ${id}"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${fieldsOf(
      schema,
    ).map(
      ({ name, field, required }) =>
        html`<tr><th scope="row"><code>${name}</code>${required ? "" : html` <span class="soft">optional</span>`}</th><td>${typeOf(field)}</td><td>${withCode(field.description ?? "")}</td></tr>`,
    )}</tbody></table></div></section>`,
  )}`;
}

interface Field {
  readonly name: string;
  readonly field: SchemaPart;
  readonly required: boolean;
}

function fieldsOf({ properties = {}, required = [] }: SchemaPart, prefix = ""): Field[] {
  return Object.entries(properties).flatMap(([key, field]): Field[] => {
    const name = `${prefix}${key}`;
    const own: Field = { name, field, required: required.includes(key) };
    const inner = withoutNull(field);
    if (inner.properties !== undefined) return [own, ...fieldsOf(inner, `${name}.`)];
    if (inner.items?.properties !== undefined) return [own, ...fieldsOf(inner.items, `${name}[].`)];
    return [own];
  });
}

function withoutNull(schema: SchemaPart): SchemaPart {
  return schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
}

/** A field's type as text; a referenced schema becomes a link. */
function typeOf(schema: SchemaPart): Markup {
  if (schema.$ref !== undefined) {
    const id = schema.$ref.split("/").at(-1) ?? "";
    return html`<a href="#schema-${id}">${id}</a>`;
  }
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((part, index) => html`${index === 0 ? "" : " or "}${typeOf(part)}`)}`;
  }
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined) return html`${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  const values = schema.additionalProperties;
  if (typeof values === "object") return html`object of ${typeOf(values)} by id`;
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "any");
  return html`${schema.format === undefined ? type : `${type} (${schema.format})`}`;
}
