import type { Address } from "../../kernel/address.ts";
import type { Labels, NameLabel } from "../../model/label.ts";
import type { Knowledge } from "./knowledge.ts";

export interface KnownContracts {
  labels: Labels;
  /** `category`: the protocol id. */
  contracts: readonly NameLabel[];
  /** null for standards. */
  protocols: readonly { id: string; name: string | null }[];
}

/** Protocol ids whose contracts prove who acted. */
const proofs = { entryPoint: "erc4337", permit2: "permit2", safe: "safe" } as const;

export function knowledgeOf({ labels, contracts, protocols }: KnownContracts): Knowledge {
  const files = new Map<Address, Set<string>>();
  for (const { address, category } of contracts) files.set(address, (files.get(address) ?? new Set()).add(category));
  const names = new Map(protocols.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
  const isOf = (file: string) => (address: Address) => files.get(address)?.has(file) === true;
  return {
    name(address) {
      const found = labels.name(address);
      const own = [...(files.get(address) ?? [])].flatMap((file) => names.get(file) ?? []);
      return found && { label: found.label, protocols: own };
    },
    token: (address) => labels.token(address),
    isEntryPoint: isOf(proofs.entryPoint),
    isPermit2: isOf(proofs.permit2),
    isSafe: isOf(proofs.safe),
    isOfChain: (address) => labels.calendar.isPredeploy(address) || labels.calendar.isPrecompile(address, null),
    wrapped: new Set(labels.system("weth")),
    protocols: [...new Set(names.values())].sort(),
  };
}
