import { AsyncLocalStorage } from "node:async_hooks";
import { x402Facilitator } from "@x402/core/facilitator";
import type { FacilitatorClient } from "@x402/core/server";
import type { Network, SettleResponse, VerifyResponse } from "@x402/core/types";
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { LRUCache } from "lru-cache";
import { type Abi, createPublicClient, encodeFunctionData, type Hex, type Transport } from "viem";
import { tokenAbi } from "../payment/use-search.ts";
import { UnsentError } from "./facilitator.ts";
import { type GasWallet, gasMax } from "./gas-wallet.ts";
import { isAnswer, isRefusal } from "./node-error.ts";

export interface LocalFacilitatorOptions {
  wallet: GasWallet;
  network: Network;
  /** Known to be a contract. */
  asset: string;
  transport: Transport;
  /** For a receipt; then the outcome is unknown. */
  confirmationMs: number;
}

/** Not reported by the x402 library. */
interface Trouble {
  /** The chain was silent, or the wallet cannot pay. */
  ours: boolean;
  /** In a block, moved nothing. */
  reverted: boolean;
}

/**
 * Corrects @x402/evm 2.27: an unreachable node is no bad signature, no rejection stays unhandled, no URL gets out, and our wallet follows
 * each transaction into a block. Who is valid at first and fails again and again at paying is refused for an hour; ERC-6492 is refused,
 * since its payer would choose what our wallet calls. `settle` rejects with UnsentError where nothing was sent.
 */
export function openLocalFacilitator(options: LocalFacilitatorOptions): FacilitatorClient {
  const { network, transport, wallet } = options;
  const troubles = new AsyncLocalStorage<Trouble>();
  const reader = createPublicClient({ transport });
  const signer = toFacilitatorEvmSigner({ ...reader, address: wallet.address } as never);
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(harden(signer, options, troubles)));

  async function run<T extends Partial<VerifyResponse & SettleResponse>>(call: () => Promise<T>) {
    const trouble: Trouble = { ours: false, reverted: false };
    const { errorMessage: _error, invalidMessage: _invalid, ...result } = await troubles.run(trouble, call);
    return { result: result as T, trouble };
  }

  const failures = createFailures(async (authorization) => {
    const args = [authorization.from, authorization.nonce] as const;
    const asked = { address: options.asset as Hex, abi: tokenAbi, functionName: "authorizationState", args } as const;
    return reader.readContract(asked);
  });

  return {
    async verify(...payment) {
      if (failures.areTooMany(payment)) return { isValid: false, invalidReason: "settlement_failed" };
      failures.noteTime(payment);
      const [{ result, trouble }, canSend] = await Promise.all([
        run(() => facilitator.verify(...payment)),
        wallet.canSend(),
      ]);
      // The log shows the code.
      const code = canSend ? {} : { code: "gas_wallet_cannot_send" };
      if (!canSend || (!result.isValid && trouble.ours))
        throw Object.assign(new Error("nothing can be settled now"), code);
      return result;
    },
    async settle(...payment) {
      if (failures.areTooMany(payment)) throw new UnsentError("settlement_failed");
      const { result, trouble } = await run(() => facilitator.settle(...payment));
      if (trouble.reverted) await failures.note(payment, failureUnits);
      if (result.success || result.transaction !== "") return result;
      const reason = trouble.ours ? null : (result.errorReason ?? null);
      // It was valid before the work was done. If it expired during the work, that may be our fault, but not where little was left of it.
      if (reason !== null && (reason !== expired || failures.wasShort(payment)))
        await failures.note(payment, trialUnits);
      throw new UnsentError(reason);
    },
    getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<FacilitatorClient["getSupported"]>>,
  };
}

function harden(
  signer: FacilitatorEvmSigner,
  { asset, wallet, confirmationMs }: LocalFacilitatorOptions,
  troubles: AsyncLocalStorage<Trouble>,
): FacilitatorEvmSigner {
  const noteUnless = (isTheirs: (error: unknown) => boolean) => (error: unknown) => {
    const trouble = troubles.getStore();
    if (trouble !== undefined && !isTheirs(error)) trouble.ours = true;
    throw error;
  };
  return {
    ...signer,
    // The library does not await this call, so its rejection would end the process.
    getCode: (args) =>
      args.address.toLowerCase() === asset.toLowerCase()
        ? Promise.resolve("0x01")
        : signer.getCode(args).catch(noteUnless(isAnswer)),
    // What would take too much gas fails before any work is done.
    readContract: (args) => signer.readContract({ ...args, ...{ gas: gasMax } }).catch(noteUnless(isAnswer)),
    writeContract: ({ address, abi, functionName, args }) => {
      const data = encodeFunctionData({ abi: abi as Abi, functionName, args: [...args] });
      const usableUntil = Number(args[validBeforeIndex]);
      return wallet.send({ to: address, data, usableUntil }).catch(noteUnless(isRefused));
    },
    async waitForTransactionReceipt({ hash }) {
      const receipt = await wallet.receiptOf(hash, confirmationMs);
      const trouble = troubles.getStore();
      if (trouble !== undefined && receipt.status === "reverted") trouble.reverted = true;
      return receipt;
    },
  };
}

type Asked = Parameters<FacilitatorClient["settle"]>;
type Signed = { from: Hex; nonce: Hex; validBefore: string };

const signedIn = ([{ payload }]: Asked) => (payload as { authorization?: Signed }).authorization;

/**
 * By payer: passed every check, failed afterwards (a contract can). In a block that costs gas; in the trial before sending only work: a
 * third. A used authorization, perhaps by a replica of ours, is no failure.
 */
function createFailures(isUsed: (authorization: Signed) => Promise<boolean>) {
  const counts = new LRUCache<string, number>({ max: failuresKept, ttl: failuresMs });
  const countOf = (from: Hex) => counts.get(from.toLowerCase()) ?? 0;
  const short = new LRUCache<string, true>({ max: failuresKept, ttl: failuresMs });
  const nameOf = ({ from, nonce }: Signed) => `${from} ${nonce}`.toLowerCase();
  return {
    /** Before the work: less than half of the asked validity is left. */
    noteTime(asked: Asked): void {
      const signed = signedIn(asked);
      if (signed === undefined) return;
      const left = Number(signed.validBefore) - Date.now() / 1000;
      if (left < asked[1].maxTimeoutSeconds / 2) short.set(nameOf(signed), true);
      else short.delete(nameOf(signed));
    },
    wasShort(asked: Asked): boolean {
      const signed = signedIn(asked);
      return signed !== undefined && short.has(nameOf(signed));
    },
    areTooMany(asked: Asked): boolean {
      const signed = signedIn(asked);
      return signed !== undefined && countOf(signed.from) >= failuresMax * failureUnits;
    },
    async note(asked: Asked, units: number): Promise<void> {
      const signed = signedIn(asked);
      if (signed === undefined || (await isUsed(signed).catch(() => true))) return;
      counts.set(signed.from.toLowerCase(), countOf(signed.from) + units);
    },
  };
}

const failuresMax = 3;
const failureUnits = 3;
const trialUnits = 1;
const expired = "invalid_exact_evm_payload_authorization_valid_before";
const failuresMs = 3_600_000;
/** Payers. */
const failuresKept = 10_000;

/** Not our fault. */
function isRefused(error: unknown): boolean {
  return isRefusal(error) || (error instanceof UnsentError && error.reason !== null);
}

/** transferWithAuthorization (EIP-3009). */
const validBeforeIndex = 4;
