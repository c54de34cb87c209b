/** fast-check from a fixed seed, so that a tree passes or fails alike each time. GOODWORD_TEST_SEED tries other values. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.GOODWORD_TEST_SEED ?? 1) });

export default fc;
