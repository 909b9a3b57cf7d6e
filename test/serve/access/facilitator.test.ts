import type { FacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { type PaymentPayload, type PaymentRequirements, VerifyError } from "@x402/core/types";
import { BaseError, ContractFunctionRevertedError, ExecutionRevertedError, parseAbi, RpcRequestError } from "viem";
import { describe, expect, it } from "vitest";
import { createFacilitator, UnsentError } from "../../../src/serve/access/facilitator/facilitator.ts";
import { isAnswer, isRefusal, readRefusal } from "../../../src/serve/access/facilitator/node-error.ts";

const payload = {} as PaymentPayload;
const requirements = {} as PaymentRequirements;

/** A facilitator that gives these answers. An answer that is an error is thrown. */
function open(answers: { verify?: unknown; settle?: unknown; kinds?: unknown }) {
  const say = async (answer: unknown) => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const client = { getSupported: () => say(answers.kinds instanceof Error ? answers.kinds : { kinds: answers.kinds }) };
  const server = { verifyPayment: () => say(answers.verify), settlePayment: () => say(answers.settle) };
  return createFacilitator(client as unknown as FacilitatorClient, server as unknown as x402ResourceServer);
}

const refused = (status: number, invalidReason?: string) =>
  new VerifyError(status, { isValid: false, ...(invalidReason === undefined ? {} : { invalidReason }) });

describe("a facilitator's answer about a payment", () => {
  it.each([
    ["that it is valid", { isValid: true }, { valid: true }],
    ["that it is not", { isValid: false, invalidReason: "too_late" }, { valid: false, reason: "too_late" }],
    ["that it is not, without why", { isValid: false }, { valid: false, reason: "payment_invalid" }],
    ["a sentence", { isValid: false, invalidReason: "See https://x" }, { valid: false, reason: "payment_invalid" }],
    [
      "a code as long as may be",
      { isValid: false, invalidReason: "a".repeat(96) },
      { valid: false, reason: "a".repeat(96) },
    ],
    ["a longer one", { isValid: false, invalidReason: "a".repeat(97) }, { valid: false, reason: "payment_invalid" }],
    ["nothing for a code", { isValid: false, invalidReason: "" }, { valid: false, reason: "payment_invalid" }],
    ["a reason with status 400", refused(400, "bad_nonce"), { valid: false, reason: "bad_nonce" }],
    ["a reason with status 499", refused(499, "Bad nonce"), { valid: false, reason: "payment_invalid" }],
  ])("is taken: %s", async (_name, verify, expected) => {
    expect(await open({ verify }).verify(payload, requirements)).toEqual(expected);
  });

  it.each([
    ["status 400 without a reason", refused(400)],
    ["a reason with status 500", refused(500, "bad_nonce")],
    ["another error", new Error("https://facilitator.example/key")],
  ])("is no verdict: %s", async (_name, verify) => {
    await expect(open({ verify }).verify(payload, requirements)).rejects.toMatchObject({
      ...{ code: "payments_unavailable", retryAfterSeconds: 5, cause: verify },
    });
  });
});

describe("a facilitator's answer about a settlement", () => {
  const hash = `0x${"Ab".repeat(32)}`;
  it.each([
    ["done", { success: true, transaction: hash }, { status: "settled", transaction: hash }],
    ["done, by a hash that is none", { success: true, transaction: `${hash}0` }, { status: "unknown" }],
    ["done, without a hash", { success: true }, { status: "unknown" }],
    ["not done", { success: false, transaction: hash }, { status: "unknown" }],
    ["an error", new Error("no"), { status: "unknown" }],
    ["nothing was sent", new UnsentError("expired"), { status: "unsent", reason: "expired" }],
    [
      "nothing was sent, in a sentence",
      new UnsentError("It is late."),
      { status: "unsent", reason: "settlement_failed" },
    ],
    ["nothing was sent, for our own trouble", new UnsentError(null), { status: "unsent", reason: null }],
  ])("%s", async (_name, settle, expected) => {
    expect(await open({ settle }).settle(payload, requirements)).toEqual(expected);
  });
});

describe("what a facilitator supports", () => {
  const kind = { x402Version: 2, scheme: "exact", network: "eip155:8453" };
  it.each([
    ["ours among others", [{ ...kind, scheme: "upto" }, kind], true],
    ["another version", [{ ...kind, x402Version: 1 }], false],
    ["another scheme", [{ ...kind, scheme: "upto" }], false],
    ["another network", [{ ...kind, network: "eip155:1" }], false],
    ["nothing", [], false],
  ])("%s", async (_name, kinds, expected) => {
    expect(await open({ kinds }).supports("eip155:8453")).toBe(expected);
  });

  it("is not known when it does not answer", async () => {
    const asked = open({ kinds: new Error("no") }).supports("eip155:8453");
    await expect(asked).rejects.toMatchObject({ code: "payments_unavailable", retryAfterSeconds: 5 });
  });
});

describe("the error of a node", () => {
  const rpc = (message: string) => new RpcRequestError({ body: {}, error: { code: -32000, message }, url: "" });
  const wrap = (cause: Error) => new BaseError("call failed", { cause });
  const abi = parseAbi(["function f()"]);
  const reverted = new ContractFunctionRevertedError({ abi, functionName: "f" });
  const noData = Object.assign(new BaseError("no data"), { name: "ContractFunctionZeroDataError" });

  it.each<[string, unknown, boolean, boolean]>([
    ["a contract that reverted", reverted, true, true],
    ["the same inside of another", wrap(wrap(reverted)), true, true],
    ["execution that reverted", new ExecutionRevertedError({ message: "no" }), true, true],
    ["words of the node", rpc("VM Exception: Revert"), true, true],
    ["other words", wrap(rpc("header not found")), false, false],
    ["no data", wrap(noData), false, true],
    ["another error of the client", new BaseError("timeout"), false, false],
    ["an error of something else", new Error("revert"), false, false],
    ["none", undefined, false, false],
  ])("%s: refused %s, answered %s", (_name, error, refusal, answer) => {
    expect([isRefusal(error), isAnswer(error)]).toEqual([refusal, answer]);
  });

  it.each<[unknown, ReturnType<typeof readRefusal>]>([
    [rpc("Insufficient funds for gas * price + value"), "poor"],
    [wrap(wrap(rpc("insufficient funds"))), "poor"],
    [rpc("Nonce too low"), "taken"],
    [rpc("replacement transaction underpriced"), "taken"],
    [rpc("nonce has already been used"), "taken"],
    [rpc("already known"), null],
    [wrap(new Error("insufficient funds")), null],
    [new Error("nonce too low"), null],
    [undefined, null],
  ])("%s: nothing was taken because of %s", (error, expected) => {
    expect(readRefusal(error)).toBe(expected);
  });
});
