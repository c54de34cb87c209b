/** A way into the program, and the law that must hold for every input. */
import fc from "fast-check";
import { anyText } from "../../test/support/properties.ts";

export interface Door {
  readonly name: string;
  /** Number of inputs in a round. */
  readonly runs: number;
  readonly property: fc.IAsyncPropertyWithHooks<[unknown]>;
  /** What came of the inputs. */
  readonly summary?: () => string;
}

/** Messages of a fault in the program. A message about the input would be right. */
export const FAULT =
  /Cannot read propert|Cannot set propert|is not a function|is not iterable|is not defined|Maximum call stack|Invalid (array|string) length|SQLITE_ERROR|no such column|syntax error near|constraint failed|\n\s+at .+:\d+:\d+|node:internal|heap out of memory/;

/**
 * Makes a door: `law` throws when an input breaks it. One input waits for the one before, which a round that its time limit
 * has ended leaves running: both would use the same files.
 */
export function doorOf<T>(name: string, runs: number, input: fc.Arbitrary<T>, law: (input: T) => Promise<void>): Door {
  let before: Promise<unknown> = Promise.resolve();
  const property = fc.asyncProperty(input, async (given) => {
    await before;
    const running = law(given);
    before = running.catch(() => {});
    await running;
  });
  return { name, runs, property: property as unknown as fc.IAsyncPropertyWithHooks<[unknown]> };
}

/** Text that confuses parsers: delimiters, bounds of numbers, odd characters, other notations. */
export const ODD_PIECES = [
  ..."%,%zz,%00,%ff,%2e%2e%2f,%0d%0a,..,//,\\,?,#,[],&&==,*,;,|,~,$(x),`x`,{{x}}".split(","),
  ..."-1,0,1,5,5.0,1e1,1e400,0x10,NaN,Infinity,9007199254740993,-0,+1,001,1_000".split(","),
  ..."true,false,null,undefined,constructor,__proto__,toString,hasOwnProperty".split(","),
  ..."2024-02-29,2023-02-29,0000-01-01,9999-12-31,2024-1-1,+002024-01-01,today".split(","),
  ..."<script>alert(1)</script>,&amp;,<!--,]]>,</a>,'\"".split(","),
  ..."\u0000,\u0007,\u001b[31m,\u200b,\u202e,\ufeff,\ufffd,\ud800,\u{1f600},é,e\u0301,İ,ß,ﬀ".split(","),
  ..."technician,the,sample,Elena,repair,cold".split(","),
  "",
  " ",
  "\n",
  "\r\n",
  "\t",
  "a".repeat(300),
  "é".repeat(5_000),
];

/** Odd text: pieces that confuse parsers, between any characters. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_PIECES) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...ODD_PIECES), { maxLength: 4 }).map((parts) => parts.join("")) },
  { weight: 2, arbitrary: anyText({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

/** Any JSON value, with members that are dangerous to copy, and depths that are dangerous to follow. */
export const oddJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: oddText.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 8_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth)) },
  { weight: 1, arbitrary: fc.constantFrom("1e400", "-0", '"\\ud800"', '{"__proto__":{"x":1}}', '{"a":1,"a":2}') },
);
