/** Operators of the normal form, by the author's and the type of what is compared. */
export const operators: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "==": { uint: "uint_eq", int: "int_eq", address: "addr_eq" },
  in: { address: "addr_in" },
  starts: { bytes: "bytes_starts" },
  ...Object.fromEntries(
    Object.entries({ ">": "gt", ">=": "gte", "<": "lt", "<=": "lte" }).map(([sign, word]) => [
      sign,
      { uint: `uint_${word}`, int: `int_${word}` },
    ]),
  ),
};

/** How an author writes an operator of the normal form; undefined where both write it alike. */
export function signOf(name: string): string | undefined {
  return Object.entries(operators).find(([, types]) =>
    Object.values(types).some((one) => one === name || one.endsWith(`_${name}`)),
  )?.[0];
}
