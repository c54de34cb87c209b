/** A hub with limits and a client for callbacks of its own, as a process with one site has. */
import { type Hub, type HubParts, type HubSettings, openHub } from "../../src/hub/hub.ts";
import { type OutboundParts, type OutboundSettings, openHubOutbound } from "../../src/hub/hub-outbound.ts";

export type LoneHubSettings = HubSettings & OutboundSettings;

export interface LoneHubParts
  extends Omit<HubParts, "outbound" | "settings">,
    Pick<OutboundParts, "limits" | "resolution" | "clockAheadMs"> {
  readonly settings: LoneHubSettings;
}

export function openLoneHub({ limits, resolution, clockAheadMs, ...parts }: LoneHubParts): Hub {
  const { settings, log } = parts;
  const outbound = openHubOutbound({ settings, limits, resolution, clockAheadMs, log });
  const hub = openHub({ ...parts, outbound });
  return {
    ...hub,
    async close(deadlineMs) {
      await hub.close(deadlineMs);
      await outbound.close();
    },
  };
}
