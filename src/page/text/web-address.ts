/** Addresses from owners and sources as links that are valid in HTML. */

/** Characters that an address must not contain after its host (URL Standard, URL code points), and stray percent signs. */
const FORBIDDEN = /[^\w!$&'()*+,\-./:;=?@~%#]|%(?![\dA-Fa-f]{2})|#/g;

/**
 * The address in the form that browsers give it, with characters that are not allowed percent-encoded; undefined
 * unless it is an http or https address.
 */
export function webAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const place = url.pathname + url.search + url.hash;
  const start = url.href.slice(0, url.href.length - place.length);
  const encoded = (part: string) => part.replaceAll(FORBIDDEN, (character) => encodeURIComponent(character));
  const fragment = url.hash === "" ? "" : `#${encoded(url.hash.slice(1))}`;
  return `${start}${encoded(url.pathname + url.search)}${fragment}`;
}
