import { secp256k1 } from "@noble/curves/secp256k1";
import { concatHex, keccak256, numberToHex, toRlp } from "viem/utils";
import { type Address, readAddress } from "../../../kernel/address.ts";
import { type Hex, readQuantity } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";

/** EIP-7702, for this chain or for every chain. */
export interface SignedCode {
  /** The zero address removes the code. */
  delegate: Address;
  nonce: bigint;
  /** The signer; undefined when the signature does not show it. */
  authority: Address | undefined;
}

/** Leaves out those for other chains. */
export function readAuthorizations({ transaction, chain_id }: CaseFile): SignedCode[] {
  return (transaction.authorizationList ?? []).flatMap(({ chainId, address, nonce, yParity, r, s }) => {
    const [chain, count, parity, left, right] = [chainId, nonce, yParity, r, s].map(readQuantity);
    const delegate = readAddress(address);
    if (delegate === undefined || count === undefined || (chain !== 0n && chain !== BigInt(chain_id))) return [];
    const signature = { parity, left, right };
    return [{ delegate, nonce: count, authority: recoverSigner([chain, delegate, count], signature) }];
  });
}

/** Delegates after the transaction, by authority. Several where the nonce before is not known and nonces are not consecutive. */
export function standingCode(list: readonly SignedCode[], sender: { account: Address; nonce: bigint | undefined }) {
  const standing = new Map<Address, SignedCode[]>();
  for (const authority of new Set(list.flatMap((item) => item.authority ?? []))) {
    const own = list.filter((item) => item.authority === authority);
    const first = own[0] as SignedCode;
    // The sender's nonce is increased before its authorizations are read (EIP-7702).
    const known = authority === sender.account && sender.nonce !== undefined ? sender.nonce + 1n : undefined;
    const valid = inOrder(own, known ?? first.nonce);
    if (valid.length === own.length || known !== undefined) standing.set(authority, valid.slice(-1));
    else standing.set(authority, own);
  }
  return standing;
}

/** Those that take effect from this nonce on. */
function inOrder(list: readonly SignedCode[], from: bigint): SignedCode[] {
  let next = from;
  return list.filter(({ nonce }) => {
    if (nonce !== next) return false;
    next++;
    return true;
  });
}

interface Signature {
  parity: bigint | undefined;
  left: bigint | undefined;
  right: bigint | undefined;
}

function recoverSigner(
  [chain, delegate, nonce]: [bigint, Address, bigint],
  { parity, left, right }: Signature,
): Address | undefined {
  if (parity === undefined || parity > 1n || left === undefined || right === undefined) return undefined;
  const message = keccak256(concatHex(["0x05", toRlp([numberBytes(chain), delegate, numberBytes(nonce)])]));
  try {
    const signature = new secp256k1.Signature(left, right).addRecoveryBit(Number(parity));
    const key = signature.recoverPublicKey(message.slice(2)).toHex(false);
    return readAddress(`0x${keccak256(`0x${key.slice(2)}`).slice(-40)}`);
  } catch {
    return undefined;
  }
}

/** RLP writes zero as no bytes. */
function numberBytes(value: bigint): Hex {
  return value === 0n ? "0x" : numberToHex(value);
}
