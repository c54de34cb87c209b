/** The JSON Schemas of tools, generated from the Zod schemas that also validate the arguments. */
import { z } from "zod";
import { isObject, type JsonObject } from "../../lib/json-object.ts";

/** The input schema: strict, with all limits. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return declared(schema, "input", (node) => drop(node, ["maximum", "minimum"], isNoLimit));
}

/** Levels of members that an output schema describes. Each model reads every tool's schema, so that more would cost. */
const MAX_DEPTH = 2;

/**
 * The output schema: the members of two levels, with descriptions at the first. The OpenAPI description has the rest.
 * Formats, bounds and patterns, which validators interpret differently, and the ban on additional members, which a later
 * version may lift, are omitted, so that no client ever rejects a result.
 */
export function outputSchema(schema: z.ZodType): JsonObject {
  return outlined(declared(schema, "output", () => {}) as Node, 0) as JsonObject;
}

const OUTLINE = ["type", "anyOf", "items", "properties", "enum", "format", "description", "required"];

function outlined(node: Node, depth: number): Node {
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (!OUTLINE.includes(key)) return [];
    if (key === "properties") return depth === MAX_DEPTH ? [] : [[key, membersOf(value as Node, depth + 1)]];
    if (key === "items") return depth === MAX_DEPTH ? [] : [[key, outlined(value as Node, depth)]];
    if (key === "anyOf") return [[key, (value as Node[]).map((one) => outlined(one, depth))]];
    if (key === "description") return depth === 1 ? [[key, value]] : [];
    if (key === "required") return depth === 0 ? [[key, value]] : [];
    return key === "format" && value !== "date" ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

function membersOf(properties: Node, depth: number): Node {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, outlined(member as Node, depth)]),
  );
}

type Node = Record<string, unknown>;

/**
 * Converts a schema, omitting `$schema`, which validators of older drafts reject, and ids, which would become
 * references.
 */
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

/** Rewrites a list of types as `anyOf` with one type per schema, because some model providers do not support lists. */
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

/** Whether a bound is merely that of safe integers, and therefore redundant. */
function isNoLimit(value: unknown): boolean {
  return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}
