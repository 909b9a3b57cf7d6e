import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import type { FacilitatorEvmSigner } from "@x402/evm";
import { custom, encodeFunctionData, erc20Abi, type Hex, RpcRequestError } from "viem";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { UnsentError } from "../../../src/serve/access/facilitator/facilitator.ts";
import type { GasWallet } from "../../../src/serve/access/facilitator/gas-wallet.ts";
import { openLocalFacilitator } from "../../../src/serve/access/facilitator/local.ts";

/** What the x402 library does with our signer, and what it returns. */
const library = vi.hoisted(() => ({
  signer: undefined as unknown,
  work: async (): Promise<unknown> => ({}),
}));
vi.mock("@x402/evm/exact/facilitator", () => ({
  ExactEvmScheme: class {
    constructor(signer: unknown) {
      library.signer = signer;
    }
  },
}));
vi.mock("@x402/core/facilitator", () => ({
  x402Facilitator: class {
    register() {
      return this;
    }
    verify() {
      return library.work();
    }
    settle() {
      return library.work();
    }
    getSupported() {
      return { kinds: ["ours"] };
    }
  },
}));

const asset = "0xAB00000000000000000000000000000000000001";
const stranger: Hex = `0x${"c4".repeat(20)}`;
const [payload, requirements] = [{ payload: {} } as PaymentPayload, {} as PaymentRequirements];
const abi = [
  {
    ...{ type: "function", name: "pay", stateMutability: "nonpayable", outputs: [] },
    inputs: Array.from({ length: 6 }, (_, i) => ({ name: `a${i}`, type: "uint256" })),
  },
] as const;
const tooMuchGas = new RpcRequestError({ body: {}, error: { code: -32000, message: "out of gas" }, url: "" });
const revert = new RpcRequestError({ body: {}, error: { code: 3, message: "execution reverted" }, url: "" });

/** A facilitator whose node and wallet answer or throw as the test says. */
function open({ node = "0x" as string | Error, gas = true, sends = "0x5" as string | Error } = {}) {
  const sent: unknown[] = [];
  const say = async <T>(word: T | Error): Promise<T> => {
    if (word instanceof Error) throw word;
    return word;
  };
  const wallet = {
    address: stranger,
    canSend: async () => gas,
    send: (call: unknown) => {
      sent.push(call);
      return say(sends);
    },
    receiptOf: async (...given: unknown[]) => given,
  } as unknown as GasWallet;
  const asked: string[] = [];
  const limits: unknown[] = [];
  const request = async ({ method, params }: { method: string; params?: { gas?: unknown }[] }) => {
    asked.push(method);
    if (method === "eth_call") limits.push(params?.[0]?.gas);
    return say(node);
  };
  const transport = custom({ request }, { retryCount: 0 });
  const options = { wallet, network: "eip155:8453", asset, transport, confirmationMs: 77 } as const;
  return { facilitator: openLocalFacilitator(options), sent, asked, limits };
}
const signer = () => library.signer as FacilitatorEvmSigner;
const read = { address: stranger, abi: erc20Abi, functionName: "totalSupply", args: [] } as never;
const invalid = { isValid: false, invalidReason: "bad", invalidMessage: "https://key@node" };

beforeEach(() => {
  library.work = async () => ({});
});

describe("our own facilitator, asked whether a payment is valid", () => {
  it("says what the library says, without its texts", async () => {
    const { facilitator } = open();
    library.work = async () => ({ ...invalid, errorMessage: "https://key@node" });
    expect(await facilitator.verify(payload, requirements)).toEqual({ isValid: false, invalidReason: "bad" });
    library.work = async () => ({ isValid: true, payer: "0x1" });
    expect(await facilitator.verify(payload, requirements)).toEqual({ isValid: true, payer: "0x1" });
    expect(await facilitator.getSupported()).toEqual({ kinds: ["ours"] });
  });

  it("gives no verdict without gas", async () => {
    const { facilitator } = open({ gas: false });
    library.work = async () => ({ isValid: true });
    await expect(facilitator.verify(payload, requirements)).rejects.toThrow("nothing can be settled now");
  });

  it.each<[string, Error, boolean]>([
    ["an unreachable node", new Error("no endpoint answers"), false],
    ["a contract that reverts", revert, true],
    ["a contract that takes too much gas", tooMuchGas, true],
  ])("tells the payment from %s", async (_name, node, isVerdict) => {
    const { facilitator } = open({ node });
    const ask = async (result: object, step: () => Promise<unknown>) => {
      library.work = async () => {
        await step().catch(() => {});
        return result;
      };
      return facilitator.verify(payload, requirements);
    };
    for (const step of [() => signer().readContract(read), () => signer().getCode({ address: stranger })]) {
      if (isVerdict) expect(await ask(invalid, step)).toMatchObject({ isValid: false });
      else await expect(ask(invalid, step)).rejects.toThrow("nothing can be settled now");
      expect(await ask({ isValid: true }, step)).toEqual({ isValid: true });
    }
    // Outside a call no one is told about the trouble, and the error stays the same.
    await expect(signer().readContract(read)).rejects.toThrow();
  });

  it("lets no contract take more than 500,000 gas for an answer", async () => {
    const { limits } = open({ node: `0x${"1".padStart(64, "0")}` });
    expect(await signer().readContract(read)).toBe(1n);
    expect(limits.map(Number)).toEqual([500_000]);
  });

  it("does not ask whether the token is a contract", async () => {
    const { asked } = open({ node: "0x02" });
    expect(await signer().getCode({ address: asset.toLowerCase() as Hex })).toBe("0x01");
    expect(await signer().getCode({ address: asset })).toBe("0x01");
    expect(asked).toEqual([]);
    expect(await signer().getCode({ address: stranger })).toBe("0x02");
    expect(asked).toEqual(["eth_getCode"]);
  });
});

describe("our own facilitator, asked to settle a payment", () => {
  const args = [1n, 2n, 3n, 4n, 5n, 6n];
  const write = () => signer().writeContract({ address: asset, abi, functionName: "pay", args });

  it("sends the call by the wallet, which waits for its receipt", async () => {
    const { sent } = open();
    expect(await write()).toBe("0x5");
    const data = encodeFunctionData({ abi, functionName: "pay", args: args as never });
    expect(sent).toEqual([{ to: asset, data, usableUntil: 5 }]);
    expect(await signer().waitForTransactionReceipt({ hash: "0x5" })).toEqual(["0x5", 77]);
  });

  it.each([
    ["it is settled", { success: true, transaction: "" }],
    ["it may be settled", { success: false, transaction: "0x5", errorReason: "late" }],
  ])("says so where %s", async (_name, result) => {
    const { facilitator } = open();
    library.work = async () => ({ ...result, errorMessage: "https://key@node" });
    expect(await facilitator.settle(payload, requirements)).toEqual(result);
  });

  it.each<[string, Error | undefined, string | undefined, string | null]>([
    ["why", undefined, "expired", "expired"],
    ["no reason", undefined, undefined, null],
    ["why, though the call would revert", revert, "expired", "expired"],
    ["why, though the call would take too much gas", new UnsentError("too_much"), "expired", "expired"],
    ["nothing of the payment where the wallet is empty", new UnsentError(null), "expired", null],
    ["nothing of the payment where we are in trouble", new Error("no endpoint answers"), "expired", null],
  ])("tells %s where nothing was sent", async (_name, failure, errorReason, reason) => {
    const { facilitator } = open({ ...(failure && { sends: failure }) });
    library.work = async () => {
      await write().catch(() => {});
      return { success: false, transaction: "", ...(errorReason && { errorReason }) };
    };
    const unsent = { name: "UnsentError", reason };
    await expect(facilitator.settle(payload, requirements)).rejects.toMatchObject(unsent);
  });
});
