/** Sorts lists that are nearly always short. */

/** So few elements are sorted faster by inserting one after the other than by the general function. */
const FEW = 12;

/** Sorts a list in place, equal elements in their old order; returns it. */
export function sortFew<Element>(list: Element[], compare: (a: Element, b: Element) => number): Element[] {
  if (list.length > FEW) return list.sort(compare);
  for (let end = 1; end < list.length; end++) {
    const element = list[end] as Element;
    let at = end;
    for (; at > 0 && compare(list[at - 1] as Element, element) > 0; at--) list[at] = list[at - 1] as Element;
    list[at] = element;
  }
  return list;
}
