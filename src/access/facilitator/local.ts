import { AsyncLocalStorage } from "node:async_hooks";
import { x402Facilitator } from "@x402/core/facilitator";
import type { FacilitatorClient } from "@x402/core/server";
import type { Network, SettleResponse, VerifyResponse } from "@x402/core/types";
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import {
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  ExecutionRevertedError,
  InsufficientFundsError,
  publicActions,
  RpcRequestError,
  type Transport,
} from "viem";
import { nonceManager, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import type { Hex } from "../../kernel/hex.ts";

export interface LocalFacilitatorOptions {
  /** The key of a wallet that holds only gas. One process for one key: nonces are counted here. */
  key: Hex;
  network: Network;
  /** The token's contract, known to be one. */
  asset: string;
  transport: Transport;
  /** Milliseconds between questions for a receipt. */
  pollingMs: number;
  /** Milliseconds to wait for a receipt before the outcome counts as unknown. */
  confirmationMs: number;
}

/** Problems of one call that the x402 library does not report. */
interface Trouble {
  /** The chain could not be asked. */
  unreachable: boolean;
  /** A transaction may be on its way though sending it failed. */
  perhapsSent: boolean;
}

/**
 * The x402 facilitator in this process. It corrects @x402/evm 2.27 in three ways: an unreachable node does not count as a bad
 * signature, no rejection stays unhandled, and no message with the URL of the node gets out. Signatures of contracts that are not
 * deployed yet (ERC-6492) are refused, because deploying one would let the payer choose what our wallet calls.
 */
export function openLocalFacilitator(options: LocalFacilitatorOptions): FacilitatorClient {
  const { network, asset, key, transport, pollingMs, confirmationMs } = options;
  const troubles = new AsyncLocalStorage<Trouble>();
  const account = privateKeyToAccount(key, { nonceManager });
  const wallet = createWalletClient({ account, chain: base, transport, pollingInterval: pollingMs });
  const signer = toFacilitatorEvmSigner({ ...wallet.extend(publicActions), address: account.address } as never, {
    confirmationTimeoutMs: confirmationMs,
  });
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(harden(signer, asset, troubles)));

  async function run<T extends Partial<VerifyResponse & SettleResponse>>(call: () => Promise<T>): Promise<T> {
    const trouble: Trouble = { unreachable: false, perhapsSent: false };
    const { errorMessage: _error, invalidMessage: _invalid, ...result } = await troubles.run(trouble, call);
    const isGood = result.isValid === true || result.success === true;
    if (!isGood && (trouble.unreachable || trouble.perhapsSent)) throw new Error("the chain cannot be asked");
    return result as T;
  }

  return {
    verify: (...payment) => run(() => facilitator.verify(...payment)),
    settle: (...payment) => run(() => facilitator.settle(...payment)),
    getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<FacilitatorClient["getSupported"]>>,
  };
}

function harden(
  signer: FacilitatorEvmSigner,
  asset: string,
  troubles: AsyncLocalStorage<Trouble>,
): FacilitatorEvmSigner {
  const note = (error: unknown): never => {
    const trouble = troubles.getStore();
    if (trouble !== undefined && !isAnswer(error)) trouble.unreachable = true;
    throw error;
  };
  return {
    ...signer,
    // The library does not await this call, so its rejection would end the process.
    getCode: (args) =>
      args.address.toLowerCase() === asset.toLowerCase() ? Promise.resolve("0x01") : signer.getCode(args).catch(note),
    readContract: (args) => signer.readContract(args).catch(note),
    writeContract: (args) =>
      signer.writeContract(args).catch((error: unknown) => {
        const trouble = troubles.getStore();
        if (trouble !== undefined && !isRefusal(error)) trouble.perhapsSent = true;
        throw error;
      }),
  };
}

/** The node answered, if only with an error of the contract. */
function isAnswer(error: unknown): boolean {
  return isRefusal(error) || walk(error, (one) => one.name === "ContractFunctionZeroDataError");
}

/** The node refused before anything was sent. */
function isRefusal(error: unknown): boolean {
  return walk(
    error,
    (one) =>
      one instanceof ContractFunctionRevertedError ||
      one instanceof ExecutionRevertedError ||
      (one instanceof RpcRequestError && /revert/i.test(one.details)) ||
      one instanceof InsufficientFundsError,
  );
}

function walk(error: unknown, test: (one: Error) => boolean): boolean {
  return error instanceof BaseError && error.walk((one) => one instanceof Error && test(one)) !== null;
}
