/** The JSON Schemas that a tool declares, made from the Zod schemas that also read its arguments. */
import { z } from "zod";
import { isObject, type Json } from "../message/json-object.ts";

/** Input: exact, with every limit, and strict. */
export function inputSchema(schema: z.ZodType): Json {
  return declared(schema, "input", (node) => drop(node, ["maximum", "minimum"], isNoLimit));
}

/**
 * Output: the shape and its meaning. What a validator might read otherwise than we do (formats, patterns) or what a
 * later version may widen (further members) is left out, so that no client ever refuses an answer.
 */
export function outputSchema(schema: z.ZodType): Json {
  return declared(schema, "output", (node) => {
    drop(node, ["maximum", "minimum"], isNoLimit);
    drop(node, ["pattern", "minLength", "default", "title"], () => true);
    drop(node, ["format"], (format) => format !== "date");
    drop(node, ["additionalProperties"], (allowed) => allowed === false);
  });
}

type Node = Record<string, unknown>;

/** Without `$schema`, which validators of older drafts stumble over, and without ids, which would make references. */
function declared(schema: z.ZodType, io: "input" | "output", override: (node: Node) => void): Json {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, {
    io,
    metadata: WITHOUT_IDS as unknown as typeof z.globalRegistry,
    override: ({ jsonSchema }) => override(jsonSchema as Node),
  });
  return portable(rest) as Json;
}

const WITHOUT_IDS = {
  has: (schema: z.ZodType) => z.globalRegistry.has(schema),
  get: (schema: z.ZodType) => {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {};
    return rest;
  },
};

/** A list of types becomes a choice between schemas of one type each: dialects of model providers know no lists. */
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

/** The bounds of a safe integer say nothing. */
function isNoLimit(value: unknown): boolean {
  return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}
