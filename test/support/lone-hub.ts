/** A hub with limits and a client for callbacks of its own, as a process with one site has. */
import { type Hub, type HubParts, type HubSettings, openHub } from "../../src/hub/hub.ts";
import {
  type HubOutbound,
  type OutboundParts,
  type OutboundSettings,
  openHubOutbound,
} from "../../src/hub/hub-outbound.ts";

export type LoneHubSettings = HubSettings & OutboundSettings;

export interface LoneHubParts
  extends Omit<HubParts, "outbound" | "settings">,
    Pick<OutboundParts, "limits" | "resolution" | "clockAheadMs"> {
  readonly settings: LoneHubSettings;
  /** What it shares with hubs of other sites; whoever opened it closes it. */
  readonly shared?: HubOutbound | undefined;
}

export function openLoneHub({ limits, resolution, clockAheadMs, shared, ...parts }: LoneHubParts): Hub {
  const { settings, log } = parts;
  const outbound = shared ?? openHubOutbound({ settings, limits, resolution, clockAheadMs, log });
  const hub = openHub({ ...parts, outbound });
  return {
    ...hub,
    async close(deadlineMs) {
      await hub.close(deadlineMs);
      if (shared === undefined) await outbound.close();
    },
  };
}
