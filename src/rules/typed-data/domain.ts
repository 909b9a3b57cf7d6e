import { type Address, zeroAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { SignedDomain } from "../../model/message.ts";
import type { StructField, StructTypes } from "../abi/struct-type.ts";
import { elementaryLayout } from "../abi/struct-type.ts";
import { isPlainObject } from "./struct-types.ts";
import { refuseData, shownValue, TypedDataError } from "./typed-data-error.ts";
import { readElementary } from "./values.ts";

/** EIP-712, "Definition of domainSeparator". */
const members: readonly StructField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

export const domainType = "EIP712Domain";

/**
 * A member beyond a given type is refused: the signer would see what is not signed. Chain 0 and the zero address become null. Throws
 * TypedDataError, also for another chain.
 */
export function readDomain(raw: unknown, types: StructTypes): SignedDomain {
  if (!isPlainObject(raw)) return refuseData("`domain` is no object");
  const stated = types.get(domainType);
  for (const { name, type } of stated ?? []) {
    if (!members.some((one) => one.name === name && one.type === type))
      refuseData(`${shownValue(`${domainType}.${name}`)} is no member of a domain, or has another type`);
    if (isAbsent(raw[name])) refuseData(`${shownValue(`domain.${name}`)} is missing`);
  }
  for (const name of Object.keys(raw))
    if (stated !== undefined && !isAbsent(raw[name]) && !stated.some((one) => one.name === name))
      refuseData(`${shownValue(`domain.${name}`)} is not in the type ${domainType}, so a signature would not cover it`);
  const read = (name: string) => {
    const { type } = members.find((one) => one.name === name) as StructField;
    return isAbsent(raw[name]) ? null : readElementary(elementaryLayout(type), raw[name], `domain.${name}`);
  };
  for (const name of Object.keys(raw))
    if (!members.some((one) => one.name === name))
      refuseData(`${shownValue(`domain.${name}`)} is no member of a domain`);
  const verifyingContract = read("verifyingContract") as Address | null;
  const domain: SignedDomain = {
    name: read("name") as string | null,
    version: read("version") as string | null,
    chainId: (read("chainId") as bigint | null) || null,
    verifyingContract: verifyingContract === zeroAddress ? null : verifyingContract,
    salt: read("salt") as string | null,
  };
  refuseOtherChain(domain.chainId, "The message");
  return domain;
}

/** Throws TypedDataError. null and 0 name no chain. */
export function refuseOtherChain(chainId: bigint | null, what: string): void {
  if (!chainId || chainId === BigInt(chain.id)) return;
  const problem = `${what} is for chain ${chainId.toString().slice(0, 20)}; only chain ${chain.id} (${chain.name}) is explained here.`;
  throw new TypedDataError("other_chain", problem);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
