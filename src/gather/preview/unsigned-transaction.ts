import { keccak256, serializeTransaction } from "viem";
import { recoverAuthority } from "../../engine/normalize/authority.ts";
import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Hash, Hex } from "../../kernel/hex.ts";
import type { RpcAuthorization } from "../../model/case-file.ts";
import { quantityHex } from "../network/rpc/rpc-objects.ts";
import type { ChainState } from "./chain-state.ts";
import type { PreviewRequest } from "./preview-request.ts";

/** Open fields filled in; wei. */
export interface UnsignedTransaction {
  request: PreviewRequest;
  nonce: bigint;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  authorizations: RpcAuthorization[];
}

/** As a wallet: current price, affordable gas up to `gasCap` (null: any). */
export function fillIn(
  request: PreviewRequest,
  chainState: ChainState,
  gasCap: bigint | null = null,
): UnsignedTransaction {
  const nonce = request.nonce ?? chainState.nonce;
  const maxPriorityFeePerGas = usualTip;
  const maxFeePerGas = chainState.baseFee + chainState.baseFee / 8n + maxPriorityFeePerGas;
  const left = chainState.balance - request.value;
  const affordable = left < 0n ? 0n : left / maxFeePerGas;
  const { gasLimit } = chainState;
  const wanted =
    request.gas ?? smallest(usualGas, gasLimit, gasCap ?? gasLimit, affordable < leastGas ? usualGas : affordable);
  const authorizations = request.authorizations.map((one): RpcAuthorization => {
    const { signature, delegate, chainId } = one;
    return {
      chainId: quantityHex(chainId ?? BigInt(chain.id)),
      address: delegate,
      // The transaction uses the sender's first nonce.
      nonce: quantityHex(one.nonce ?? nonce + 1n),
      ...(signature === null
        ? { authority: request.from }
        : { yParity: quantityHex(signature.yParity), r: signature.r, s: signature.s }),
    };
  });
  return { request, nonce, gas: wanted, maxFeePerGas, maxPriorityFeePerGas, authorizations };
}

/** Wei, 0.001 gwei: the usual tip on this chain. */
const usualTip = 1_000_000n;
/** Not higher: contracts detect simulations by a very high limit. */
const usualGas = 10_000_000n;
const leastGas = 21_000n;

function smallest(...values: bigint[]): bigint {
  return values.reduce((least, value) => (value < least ? value : least));
}

/** By account; the last counts. */
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

/** Signed bytes: EIP-1559 without authorizations. */
export function serialize({ request, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction): Hex {
  const { to, value, data } = request;
  // May exceed `number`; viem writes bigints although its type says `number`.
  const exact = nonce as unknown as number;
  const known = { chainId: chain.id, type: "eip1559" as const, nonce: exact, gas, maxFeePerGas };
  return serializeTransaction({ ...known, maxPriorityFeePerGas, to, value, data });
}

/** To be signed; the transaction's own hash needs the signature. */
export function signingHash(transaction: UnsignedTransaction): Hash {
  return keccak256(serialize(transaction)) as Hash;
}
