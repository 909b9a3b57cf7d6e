import { keccak256, serializeTransaction } from "viem";
import type { Address } from "../kernel/address.ts";
import { chain } from "../kernel/chain-profile.ts";
import type { Hash, Hex } from "../kernel/hex.ts";
import type { RpcAuthorization } from "../model/case-file.ts";
import { quantityHex } from "../network/rpc/rpc-objects.ts";
import { recoverAuthority } from "../normalize/authority.ts";
import type { Ground } from "./ground.ts";
import type { PreviewRequest } from "./preview-request.ts";

/** The transaction as it would be signed: what the request left open is filled in. Prices are in wei. */
export interface UnsignedTransaction {
  request: PreviewRequest;
  nonce: bigint;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  authorizations: RpcAuthorization[];
}

/** Fills in nonce, price and gas limit as a wallet does: a real price, and a limit that the account can pay for. */
export function fillIn(request: PreviewRequest, ground: Ground): UnsignedTransaction {
  const nonce = request.nonce ?? ground.nonce;
  const maxPriorityFeePerGas = usualTip;
  const maxFeePerGas = ground.baseFee + ground.baseFee / 8n + maxPriorityFeePerGas;
  const left = ground.balance - request.value;
  const affordable = left < 0n ? 0n : left / maxFeePerGas;
  const wanted = request.gas ?? smallest(usualGas, ground.gasLimit, affordable < leastGas ? usualGas : affordable);
  const authorizations = request.authorizations.map((one): RpcAuthorization => {
    const { signature, delegate, chainId } = one;
    return {
      chainId: quantityHex(chainId ?? BigInt(chain.id)),
      address: delegate,
      // The sender's own counts its transaction first.
      nonce: quantityHex(one.nonce ?? nonce + 1n),
      ...(signature === null
        ? { authority: request.from }
        : { yParity: quantityHex(signature.yParity), r: signature.r, s: signature.s }),
    };
  });
  return { request, nonce, gas: wanted, maxFeePerGas, maxPriorityFeePerGas, authorizations };
}

/** 0.001 gwei: what wallets offer on this chain. */
const usualTip = 1_000_000n;
/** Enough for nearly all transactions. Contracts that look for a simulation look for an endless limit. */
const usualGas = 10_000_000n;
const leastGas = 21_000n;

function smallest(...values: bigint[]): bigint {
  return values.reduce((least, value) => (value < least ? value : least));
}

/** Whose code the authorizations set, and to which delegate. The last word of each counts. */
export function delegationsOf({ authorizations }: UnsignedTransaction): Map<Address, Hex> {
  const delegates = new Map<Address, Hex>();
  for (const one of authorizations) {
    const authority = recoverAuthority(one);
    const chainId = BigInt(one.chainId);
    if (authority !== undefined && (chainId === 0n || chainId === BigInt(chain.id)))
      delegates.set(authority, BigInt(one.address) === 0n ? "0x" : `0xef0100${one.address.slice(2)}`);
  }
  return delegates;
}

/** The bytes that are signed (EIP-1559). */
export function serialize({ request, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction): Hex {
  const { to, value, data } = request;
  // A nonce may be larger than what a number holds: viem writes bigints too, which its type leaves out.
  const exact = nonce as unknown as number;
  const known = { chainId: chain.id, type: "eip1559" as const, nonce: exact, gas, maxFeePerGas };
  return serializeTransaction({ ...known, maxPriorityFeePerGas, to, value, data });
}

/** The hash that is signed. The transaction's own hash is known when it is signed. */
export function signingHash(transaction: UnsignedTransaction): Hash {
  return keccak256(serialize(transaction)) as Hash;
}
