/** What a function says of a name, remembered for the names that are asked for first: records name their members again and again. */
export function rememberedByName<Said>(say: (name: string) => Said, most = 1_000): (name: string) => Said {
  const remembered = new Map<string, Said>();
  return (name) => {
    if (remembered.has(name)) return remembered.get(name) as Said;
    const said = say(name);
    if (remembered.size < most) remembered.set(name, said);
    return said;
  };
}
