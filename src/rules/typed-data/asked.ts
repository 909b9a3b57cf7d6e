import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { limits } from "../../kernel/limits.ts";
import type { SignedDomain } from "../../model/message.ts";
import { elementaryLayout } from "../abi/struct-type.ts";
import { refuseOtherChain } from "./domain.ts";
import { listFields, type MessageField } from "./fields.ts";
import { openNested } from "./nested.ts";
import { isPlainObject } from "./struct-types.ts";
import { readTypedData, type TypedData } from "./typed-data.ts";
import { refuseData } from "./typed-data-error.ts";
import { readElementary } from "./values.ts";

/** What somebody is asked to sign, in exactly one of three forms. */
export interface AskedForms {
  /** The typed data that `eth_signTypedData_v4` takes: an object, or its JSON text. */
  typed_data?: unknown;
  /** EIP-7702: `{ chain_id, address, nonce }`. */
  authorization?: unknown;
  /** ERC-4337: `{ sender, nonce, callData, … }`, with `entry_point`, the contract that will run it. */
  user_operation?: unknown;
  entry_point?: unknown;
}

/** What is to be signed, after checking. */
export interface Asked {
  domain: SignedDomain;
  /**
   * The typed data; null for an authorization. Contents that are nested for an account (ERC-7739) are here as if they were asked for alone.
   */
  data: TypedData | null;
  /** The struct that is signed; null for an authorization. */
  primaryType: string | null;
  /** The account in whose name it is signed, where that is not the signer; null: the signer. */
  account: Address | null;
  /** The delegate of an authorization; null for everything else. */
  delegate: Address | null;
  /** All values of the message, in order. */
  fields: MessageField[];
}

/** Reads the form that is given. Throws TypedDataError when it is malformed, or when there is not exactly one form. */
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

/** Reads an EIP-7702 authorization. Chain 0 means every chain. */
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

/** Members of a packed user operation (ERC-4337 from version 0.7 on). The first four say what it does. */
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

/** A user operation as the typed data that newer entry points sign. Rules know it in this form. */
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
