import { runUnitTests } from "../support/unit-tests.ts";

runUnitTests("app");
