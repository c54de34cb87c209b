/**
 * A tool: what an agent may ask, as data that knows no protocol. A tool answers from an edition with JSON text, or
 * throws Invalid for arguments that it cannot answer.
 */
import { z } from "zod";
import type { Edition } from "../../edition/edition.ts";
import { Invalid, type Issue, issuesOf } from "../../issue.ts";
import type { Json } from "../message/json-object.ts";

export interface Tool {
  /** Verb and noun, stable; the first says what it does, the second to what. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** When to use it, what comes back, and its limits. May name what this business has. */
  readonly describe: (edition: Edition) => string;
  /** Strict: a member that is not named here is refused. */
  readonly input: z.ZodObject;
  /** An object that fits every answer. */
  readonly output: z.ZodType;
  /** Whether every call has the same answer. */
  readonly constant: boolean;
  /** The answer to arguments as they were sent, as JSON. @throws Invalid when the arguments are at fault. */
  readonly run: (edition: Edition, sent: Json) => string;
  /** Something for the agent to know besides, such as what it might have meant when nothing was found. */
  readonly hint?: (edition: Edition, sent: Json, answer: string) => string | undefined;
}

interface Question<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly describe: string | ((edition: Edition) => string);
  readonly input: Shape;
  /** What an argument must be, in words, where that depends on the edition. The description says it otherwise. */
  readonly allowed?: (edition: Edition) => Readonly<Record<string, string>>;
  readonly output: z.ZodType;
  readonly answer: (edition: Edition, asked: z.infer<z.ZodObject<Shape>>) => unknown;
}

/** A tool whose arguments are read by the schema of its input, an empty string asking nothing. */
export function makeTool<Shape extends z.ZodRawShape>(question: Question<Shape>): Tool {
  const { name, title, describe, output, answer, allowed } = question;
  const input = z.strictObject(question.input);
  return {
    name,
    title,
    describe: typeof describe === "string" ? () => describe : describe,
    input,
    output,
    constant: Object.keys(question.input).length === 0,
    run: (edition, sent) => {
      const rules = () => ({ ...descriptions(input), ...allowed?.(edition) });
      const asked = readArguments(sent, Object.keys(question.input), (known) => parse(input, known, rules));
      return JSON.stringify(answer(edition, asked as z.infer<z.ZodObject<Shape>>));
    },
  };
}

/**
 * The arguments as `read` reads those that are named in `names`. A name that is unknown is a fault, told together with
 * the others and with the names that are allowed.
 */
export function readArguments<T>(sent: Json, names: readonly string[], read: (known: Json) => T): T {
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

/** The fault of one argument: a sentence with the argument, the rule and the choices. */
export function badArgument(name: string, message: string): Invalid {
  return new Invalid([{ code: "invalid_value", path: [name], message }]);
}

function unknownArgument(name: string, names: readonly string[]): Issue {
  const allowed = names.length === 0 ? "there are no arguments" : `allowed: ${names.join(", ")}`;
  return {
    code: "unrecognized_keys",
    path: [name],
    message: `${JSON.stringify(name.slice(0, 60))} is no argument here; ${allowed}`,
  };
}

function parse(schema: z.ZodObject, sent: Json, rules: () => Readonly<Record<string, string>>): unknown {
  const asked = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(asked);
  if (parsed.success) return parsed.data;
  const allowed = rules();
  throw new Invalid(
    issuesOf(parsed.error, asked, allowed).map((issue) => {
      const name = String(issue.path[0]);
      return name in asked ? issue : { ...issue, message: `${name} is missing; it must be ${allowed[name]}` };
    }),
  );
}

/** What each argument must be, in the words of its description. */
function descriptions(schema: z.ZodObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, member]) => [name, (member as z.ZodType).description ?? "valid"]),
  );
}
