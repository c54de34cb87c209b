/**
 * Makes the JavaScript of the package, before `npm pack`: the program in a few files in `dist/`, its dependencies left
 * to npm. Node runs TypeScript as it is, but not below node_modules, where an installed package lies.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundlePackage } from "./bundle.ts";

const OUT = join(import.meta.dirname, "..", "dist");

rmSync(OUT, { recursive: true, force: true });
await bundlePackage(OUT);
