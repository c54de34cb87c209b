/** The JSON Schemas that a tool declares, made from the Zod schemas that also read its arguments. */
import { z } from "zod";
import { isObject, type JsonObject } from "../../json-object.ts";

/** The input schema: strict, with every limit. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return declared(schema, "input", (node) => drop(node, ["maximum", "minimum"], isNoLimit));
}

/**
 * The output schema: the shape and its meaning. Formats and patterns, which validators read differently, and the ban on
 * further members, which a later version may lift, are left out, so that no client ever rejects a result.
 */
export function outputSchema(schema: z.ZodType): JsonObject {
  return declared(schema, "output", (node) => {
    drop(node, ["maximum", "minimum"], isNoLimit);
    drop(node, ["pattern", "minLength", "default", "title"], () => true);
    drop(node, ["format"], (format) => format !== "date");
    drop(node, ["additionalProperties"], (allowed) => allowed === false);
  });
}

type Node = Record<string, unknown>;

/** Leaves out `$schema`, which validators of older drafts reject, and ids, which would become references. */
function declared(schema: z.ZodType, io: "input" | "output", override: (node: Node) => void): JsonObject {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, {
    io,
    metadata: WITHOUT_IDS as unknown as typeof z.globalRegistry,
    override: ({ jsonSchema }) => override(jsonSchema as Node),
  });
  return portable(rest) as JsonObject;
}

const WITHOUT_IDS = {
  has: (schema: z.ZodType) => z.globalRegistry.has(schema),
  get: (schema: z.ZodType) => {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {};
    return rest;
  },
};

/** Rewrites a list of types as a choice between schemas of one type each, because some model providers support no lists. */
function portable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(portable);
  if (!isObject(node)) return node;
  const { type, ...rest } = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, portable(value)]));
  if (type === undefined) return rest;
  return Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })), ...rest } : { type, ...rest };
}

function drop(node: Node, keywords: readonly string[], when: (value: unknown) => boolean): void {
  for (const keyword of keywords) if (Object.hasOwn(node, keyword) && when(node[keyword])) delete node[keyword];
}

/** Whether a bound is only that of safe integers, and therefore says nothing. */
function isNoLimit(value: unknown): boolean {
  return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}
