import { type Address, zeroAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { limits } from "../../kernel/limits.ts";
import type { SignedDomain } from "../../model/message.ts";
import type { Value } from "../abi/abi-type.ts";
import { elementaryLayout, encodeType, typeHash } from "../abi/struct-type.ts";
import { refuseOtherChain } from "./domain.ts";
import { listFields, type MessageField } from "./fields.ts";
import { isPlainObject } from "./struct-types.ts";
import { readTypedData, type TypedData } from "./typed-data.ts";
import { refuseData } from "./typed-data-error.ts";
import { readElementary } from "./values.ts";

/** Exactly one of three forms. */
export interface AskedForms {
  /** As `eth_signTypedData_v4` takes it, or its JSON text. */
  typed_data?: unknown;
  /** EIP-7702: `{ chain_id, address, nonce }`. */
  authorization?: unknown;
  /** ERC-4337: `{ sender, nonce, callData, … }`, with `entry_point`, the contract that will run it. */
  user_operation?: unknown;
  entry_point?: unknown;
}

/** What is to be signed, checked. */
export interface Asked {
  domain: SignedDomain;
  /** null for an authorization. Contents nested for an account (ERC-7739) as if asked for alone. */
  data: TypedData | null;
  /** null for an authorization. */
  primaryType: string | null;
  /** Signed in its name; null: the signer. */
  account: Address | null;
  /** Only of an authorization. */
  delegate: Address | null;
  /** In order. */
  fields: MessageField[];
}

/** Throws TypedDataError when malformed, or not exactly one form. */
export function readAsked(asked: AskedForms): Asked {
  const { typed_data, authorization, user_operation, entry_point } = asked ?? {};
  const given = [typed_data, authorization, user_operation].filter((form) => form !== undefined);
  if (given.length !== 1) return refuseData("one of `typed_data`, `authorization` and `user_operation` was expected");
  if (authorization !== undefined) return readAuthorization(authorization);
  const whole = readTypedData(typed_data === undefined ? operationData(user_operation, entry_point) : typed_data);
  const { data, account } = openNested(whole);
  const { domain, primaryType } = whole;
  const { fields } = listFields(whole, limits.typedValuesMax);
  return { domain, data, primaryType, account, delegate: null, fields };
}

const noDomain: SignedDomain = { name: null, version: null, chainId: null, verifyingContract: null, salt: null };

/** EIP-7702. Chain 0 is every chain. */
function readAuthorization(raw: unknown): Asked {
  if (!isPlainObject(raw)) return refuseData("`authorization` is no object");
  const number = { kind: "uint" as const, bits: 64, dynamic: false as const, words: 1 as const };
  const chainId = readElementary({ ...number, bits: 256 }, raw.chain_id, "authorization.chain_id") as bigint;
  refuseOtherChain(chainId, "The authorization");
  const delegate = readElementary(elementaryLayout("address"), raw.address, "authorization.address") as Address;
  const nonce = readElementary(number, raw.nonce ?? "0", "authorization.nonce");
  const fields: MessageField[] = [
    { path: "chain_id", type: "uint256", value: chainId },
    { path: "address", type: "address", value: delegate },
    { path: "nonce", type: "uint64", value: nonce },
  ];
  const domain = { ...noDomain, chainId: chainId === 0n ? null : chainId };
  return { domain, data: null, primaryType: null, account: null, delegate, fields };
}

/** ERC-4337 from version 0.7 on. The first four say what it does. */
const operationMembers = [
  ["sender", "address"],
  ["nonce", "uint256"],
  ["initCode", "bytes"],
  ["callData", "bytes"],
  ["accountGasLimits", "bytes32"],
  ["preVerificationGas", "uint256"],
  ["gasFees", "bytes32"],
  ["paymasterAndData", "bytes"],
] as const;

const emptyMembers: Readonly<Record<string, string>> = { uint256: "0", bytes: "0x", bytes32: `0x${"0".repeat(64)}` };

/** The form that newer entry points sign and rules know. */
function operationData(raw: unknown, entryPoint: unknown): unknown {
  if (!isPlainObject(raw)) return refuseData("`user_operation` is no object");
  readElementary(elementaryLayout("address"), entryPoint, "entry_point");
  const message = operationMembers.map(([name, type]) => [name, raw[name] ?? emptyMembers[type]]);
  return {
    types: { PackedUserOperation: operationMembers.map(([name, type]) => ({ name, type })) },
    primaryType: "PackedUserOperation",
    domain: { name: "ERC4337", version: "1", chainId: chain.id, verifyingContract: entryPoint },
    message: Object.fromEntries(message),
  };
}

interface NestedData {
  /** As if asked for alone. */
  data: TypedData;
  /** Signed in its name; null: the signer. */
  account: Address | null;
}

/** The account's domain (ERC-7739, and its first draft). */
const domainMembers = [
  "string name,string version,uint256 chainId,address verifyingContract,bytes32 salt",
  "bytes1 fields,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt,uint256[] extensions",
];

/** Contents of a `TypedDataSign` (ERC-7739); other messages unchanged. Throws TypedDataError for an account of another chain. */
function openNested(data: TypedData): NestedData {
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
