/**
 * A tool as data, independent of the protocol. It answers from an edition with JSON text, or throws Invalid for invalid
 * arguments.
 */
import { z } from "zod";
import type { Edition } from "../../edition/edition.ts";
import type { Steps } from "../../edition/steps.ts";
import { Invalid, type Issue, issuesOf } from "../../issue.ts";
import type { JsonObject } from "../../lib/json-object.ts";

export interface Tool {
  /** A verb and a noun; never changes. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** When to use the tool, its result, and its limits. May list this business's names. */
  readonly describe: (edition: Edition) => string;
  /** Strict: unknown members are rejected. */
  readonly input: z.ZodObject;
  /** The result's schema. */
  readonly output: z.ZodType;
  /** Whether every call has the same result. */
  readonly constant: boolean;
  /** Answers the arguments as sent, with JSON, in steps if it may take long. @throws Invalid if they are invalid. */
  readonly run: (edition: Edition, sent: JsonObject) => string | Steps<string>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly describe: string | ((edition: Edition) => string);
  readonly input: Shape;
  /** The arguments' allowed values as text, if they depend on the edition. Otherwise the description has them. */
  readonly allowed?: (edition: Edition) => Readonly<Record<string, string>>;
  readonly output: z.ZodType;
  /** In steps if it may take long. */
  readonly answer: (edition: Edition, given: z.infer<z.ZodObject<Shape>>) => object | Steps<object>;
}

/** Makes a tool whose arguments are validated by its input schema. Empty strings count as absent. */
export function makeTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  const { name, title, describe, output, answer, allowed } = definition;
  const input = z.strictObject(definition.input);
  return {
    name,
    title,
    describe: typeof describe === "string" ? () => describe : describe,
    input,
    output,
    constant: Object.keys(definition.input).length === 0,
    run: (edition, sent) => {
      const rules = () => ({ ...descriptions(input), ...allowed?.(edition) });
      const given = readArguments(sent, Object.keys(definition.input), (named) => parse(input, named, rules));
      const made = answer(edition, given as z.infer<z.ZodObject<Shape>>);
      return areSteps(made) ? inJson(made) : JSON.stringify(made);
    },
  };
}

function areSteps(made: object | Steps<object>): made is Steps<object> {
  return Symbol.iterator in made && "next" in made;
}

function* inJson(steps: Steps<object>): Steps<string> {
  return JSON.stringify(yield* steps);
}

/**
 * Reads the arguments listed in `names` with `read`. An unknown argument is an issue that lists the allowed names; it
 * is reported together with the others.
 * @throws Invalid with all issues.
 */
export function readArguments<T>(sent: JsonObject, names: readonly string[], read: (sent: JsonObject) => T): T {
  const issues = Object.keys(sent).flatMap((name) => (names.includes(name) ? [] : [unknownArgument(name, names)]));
  if (issues.length === 0) return read(sent);
  try {
    read(Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name))));
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    issues.push(...error.issues);
  }
  throw new Invalid(issues);
}

/** The error for one argument. The message names the argument, the rule and the choices. */
export function badArgument(name: string, message: string): Invalid {
  return new Invalid([{ code: "invalid_value", path: [name], message }]);
}

function unknownArgument(name: string, names: readonly string[]): Issue {
  const allowed = names.length === 0 ? "there are no arguments" : `allowed: ${names.join(", ")}`;
  return {
    code: "unrecognized_keys",
    path: [name],
    message: `${JSON.stringify(name.slice(0, 60))} is not an argument of this tool; ${allowed}`,
  };
}

function parse(schema: z.ZodObject, sent: JsonObject, rules: () => Readonly<Record<string, string>>): unknown {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const allowed = rules();
  throw new Invalid(
    issuesOf(parsed.error, given, allowed).map((issue) => {
      const name = String(issue.path[0]);
      return name in given ? issue : { ...issue, message: `${name} is missing; it must be ${allowed[name]}` };
    }),
  );
}

/** The requirement for each argument, taken from its description. */
function descriptions(schema: z.ZodObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, member]) => [name, (member as z.ZodType).description ?? "valid"]),
  );
}
