/** Every defence of SECURITY.md's threat model, in its order. */
import { DESK } from "./desk.ts";
import { HUB } from "./hub.ts";
import { IMPORTS } from "./imports.ts";
import { MACHINE } from "./machine.ts";
import type { Mutation } from "./mutation.ts";
import { NOTICES } from "./notices.ts";
import { STRANGERS } from "./strangers.ts";

export const THREAT_MODEL: readonly Mutation[] = [...STRANGERS, ...HUB, ...DESK, ...IMPORTS, ...NOTICES, ...MACHINE];
