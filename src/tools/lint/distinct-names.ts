/** The second of equal names gets the number 2, and so on. */
export function uniqueNames(
  names: readonly string[],
  numbered = (name: string, count: number) => `${name} (${count})`,
) {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : numbered(name, count);
  });
}
