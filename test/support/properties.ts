/** fast-check from a fixed seed, so that a tree passes or fails alike each time. GOODWORD_TEST_SEED tries other values. */
import fc from "fast-check";
import { IS_WHOLE } from "./test-runs.ts";

fc.configureGlobal({ seed: Number(process.env.GOODWORD_TEST_SEED ?? 1) });

/** How often a property is tried that takes long: in `npm test` a third of these times. */
export function tries(times: number): number {
  return IS_WHOLE ? times : Math.ceil(times / 3);
}

const ASCII = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCodePoint(code));
/** The surrogates are halves of characters, and none. */
const CHARACTER = fc
  .oneof(fc.integer({ min: 0x80, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code));

/** Texts of any characters. fast-check's own, with the unit "binary", list a million of them first: two seconds. */
export function anyText(bounds: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc.array(fc.oneof(ASCII, CHARACTER), bounds).map((characters) => characters.join(""));
}

export default fc;
