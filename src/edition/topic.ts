/** The topics: documents whose changes are pushed to subscribers (interface §4). */
export const TOPIC_PATHS = ["/feed.xml", "/api/feed.json", "/reviews.json"] as const;

export const HUB_PATH = "/api/websub/hub";

/** The Link header of a topic, for responses and notifications (WebSub §4). */
export function topicLink(baseUrl: string, path: string): string {
  return `<${baseUrl}${HUB_PATH}>; rel="hub", <${baseUrl}${path}>; rel="self"`;
}

/** Whether the path is that of a topic. */
export function isTopic(path: string): boolean {
  return (TOPIC_PATHS as readonly string[]).includes(path);
}
