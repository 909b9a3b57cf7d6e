import type { DescriptorPart } from "./part.ts";

/** Why nothing is made of these keys, although the format has them. */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $i18n: "translations: sentences are English",
    abi: "an ABI beside signatures that say all",
    addressMatcher: "an address matcher elsewhere is not asked",
    factory: "contracts of a factory: what it made long ago cannot be shown",
    info: "facts about the owner: no sentence tells them",
    token: "facts about the token: the chain and labels tell them",
    owner: "a name that another one stands for",
    contractName: "a name that another one stands for",
    types: "a check of what kind of address it is: wallets make it",
    type: "a check of what kind of address it is: wallets make it",
    sources: "sources of names: names come from labels alone",
    separator: "words between the elements of an array",
    iteration: "the order of arrays",
    screens: "the layout of a wallet's screens",
  }),
);

/** Definitions for use elsewhere: one that nothing refers to is no mistake. */
const optional = /^\/(?:metadata\/(?:constants|enums|maps)(?:\/|$)|display\/definitions(?:\/[^/]*)?$)/;

/**
 * Reports every part of a descriptor that was neither used nor reported, each once at its outermost place. Keys that start with
 * `$` have no meaning (ERC-7730 "Key naming convention") and are passed over.
 */
export function reportUnused(part: DescriptorPart, key = ""): void {
  if (part.usage === "all") return;
  const inner = part.entries();
  const opens = inner.length > 0 && (part.usage === "some" || key === "params");
  if (!opens) part.leaveOut(reasonFor(part, key));
  else for (const [name, child] of inner) if (!/^\$(?!ref$|i18n$)/.test(name)) reportUnused(child, name);
}

function reasonFor({ pointer, value }: DescriptorPart, key: string): string {
  if (value !== null && typeof value === "object" && Object.keys(value).length === 0) return "empty";
  if (optional.test(pointer)) return "defined, but nothing that is told refers to it";
  return reasons.get(key) ?? "a key that has no meaning here";
}
