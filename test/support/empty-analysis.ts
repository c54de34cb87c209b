/** An analysis that says nothing, for reviews of which a test or a bench needs none. */
import type { Analysis } from "../../src/insights-document.ts";

export const EMPTY_ANALYSIS: Analysis = {
  language: null,
  sentiment: "neutral",
  score: 0,
  aspects: [],
  technicians: [],
  services: [],
  problems: [],
  service_areas: [],
  topics: [],
};
