import "../support/served-sample.ts"; // its program outlives each file
import { runUnitTests } from "../support/unit-tests.ts";

runUnitTests("answers");
