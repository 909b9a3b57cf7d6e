import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { Value } from "../abi/abi-type.ts";
import { encodeType, typeHash } from "../abi/struct-type.ts";
import { refuseOtherChain } from "./domain.ts";
import type { TypedData } from "./typed-data.ts";

/** A message for an account, taken out of the message that the account's owner is asked to sign. */
export interface NestedData {
  /** The contents, as if they were asked for alone. */
  data: TypedData;
  /** The account in whose name they are signed; null: the signer. */
  account: Address | null;
}

/** Members after the contents: the domain of the account (ERC-7739, and its first draft). */
const domainMembers = [
  "string name,string version,uint256 chainId,address verifyingContract,bytes32 salt",
  "bytes1 fields,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt,uint256[] extensions",
];

/**
 * Takes the contents out of a `TypedDataSign` (ERC-7739); their own type then decides what they mean. Other messages are given back
 * unchanged. Throws TypedDataError for an account of another chain.
 */
export function openNested(data: TypedData): NestedData {
  const { domain, primaryType, types, values } = data;
  const [contents, ...members] = types.get(primaryType) ?? [];
  const isNested = primaryType === "TypedDataSign" && contents?.name === "contents" && types.has(contents.type);
  if (!isNested || !domainMembers.includes(members.map(({ type, name }) => `${type} ${name}`).join(",")))
    return { data, account: null };
  const member = (name: string) => values[members.findIndex((one) => one.name === name) + 1] as Value;
  refuseOtherChain(member("chainId") as bigint, "The account that the message names");
  const account = member("verifyingContract") as Address;
  const hash = typeHash(encodeType(contents.type, types));
  return {
    data: { domain, primaryType: contents.type, types, typeHash: hash, values: values[0] as Value[] },
    account: account === zeroAddress ? null : account,
  };
}
