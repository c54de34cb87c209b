/** The place that a node of schema.org describes, for the reviews of it. */
import { isObject, type JsonObject, members } from "../../lib/json-object.ts";
import { foldedName, type ToldPlace, toldPlace } from "./told-place.ts";

/** Types that are no places. Those of places are hundreds, and more are added. */
const NO_PLACES =
  /^(?:Thing|Product\w*|IndividualProduct|Offer\w*|Service|\w*Work|\w*Article|BlogPosting|Book|Movie|Recipe|Course|\w*Event|\w*Application|\w*Page|\w*List|ListItem|WebSite|Person|Brand|\w*Rating|\w*Review|Question|Answer|ImageObject|VideoObject|PostalAddress)$/;

/** The first text of a value, or of a list, a language-tagged text or an object with a name. */
function textOf(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = isObject(first) ? (first["@value"] ?? first.name) : first;
  return typeof text === "string" ? text.trim() : "";
}

/** The place that a node is; undefined for something else, or without a name and an absolute id. */
export function placeOfNode(node: JsonObject): ToldPlace | undefined {
  const types = [node["@type"]].flat().map((type) => textOf(type).replace(/^.*[/:]/, ""));
  if (types.some((type) => NO_PLACES.test(type))) return undefined;
  const [id, name] = [textOf(node["@id"]), textOf(node.name)];
  if (/^https?:/.test(id)) return toldPlace([["@id", id]], name === "" ? undefined : name);
  if (name === "") return undefined;
  const { streetAddress, postalCode, addressLocality } = members([node.address].flat()[0]);
  const address =
    typeof node.address === "string"
      ? node.address
      : [streetAddress, postalCode, addressLocality].map(textOf).join(" ");
  const ids = [
    ["name", name],
    ["address", address],
  ] as const;
  return toldPlace(
    ids.map(([kind, text]) => [kind, foldedName(text)] as const).filter(([, text]) => text !== ""),
    name,
  );
}
