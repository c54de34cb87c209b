/** Groups items into pages by their number and their size, because a limit of rows alone does not bound memory. */

/** Maximum size of the rows that an import reads or writes at a time. A row that is larger by itself is alone. */
export const MAX_PAGE_BYTES = 8_000_000;

/** The items in pages of at most `maxItems` items, which together have at most `MAX_PAGE_BYTES` unless it is only one. */
export function* boundedPages<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  maxItems = Number.POSITIVE_INFINITY,
): Generator<Item[]> {
  let page: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (page.length > 0 && (page.length >= maxItems || bytes + size > MAX_PAGE_BYTES)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(item);
    bytes += size;
  }
  if (page.length > 0) yield page;
}
