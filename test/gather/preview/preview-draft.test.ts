import { describe, expect, it } from "vitest";
import { draftOf, requestDraft } from "../../../src/gather/preview/preview-draft.ts";
import type { PreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { fillIn, signingHash } from "../../../src/gather/preview/unsigned-transaction.ts";
import { alice, bob } from "../../support/case-of.ts";
import { chainState, hash, request, sending } from "./unsigned-case.ts";

describe("a draft", () => {
  const transaction = fillIn(sending, chainState);
  const base = {
    ...{ version: 2, chain_id: 8453, tx_hash: signingHash(transaction), gathered_at: "", tokens: {}, reads: [] },
    block: { number: "0x63", hash, timestamp: "0x6553f100" },
    transaction: {
      ...{ hash: signingHash(transaction), type: "0x2", from: alice, to: bob, value: "0x1a", input: "0x12" },
      ...{ nonce: "0x5", gas: "0x989680" },
    },
    price: { status: "unavailable", source: "not asked yet", eth_usd: null },
  };

  it("without a simulation says why", () => {
    const none = { method: "none", priced: false, differs: null, unavailable: [], refusal: null };
    expect(requestDraft({ transaction, chainState })).toEqual({
      ...{ ...base, receipt: { status: "0x0", logs: [] }, simulation: none },
      trace: { source: "none", reason: "nobody simulated" },
    });
    const unavailable = [{ method: "eth_call", reason: "failed" }] as never;
    expect(requestDraft({ transaction, chainState }, { unavailable, refusal: "nonce_low" as never })).toEqual({
      ...{ ...base, receipt: { status: "0x0", logs: [] } },
      trace: { source: "none", reason: "a node would refuse it" },
      simulation: { ...none, unavailable, refusal: "nonce_low" },
    });
  });

  it("of a run has its receipt, with the fees that are known and the price that it would pay", () => {
    const authorizations = [{ chainId: null, delegate: bob, nonce: null, signature: null }];
    const drafted = (fees: object, receipt: object, more: Partial<PreviewRequest> = {}, at = chainState) => {
      const simulated = { told: null, priced: true, unavailable: [], refusal: null, fees } as never;
      const run = { kind: "ran", receipt: { status: "0x1", logs: [], ...receipt }, trace: { source: "none" } } as never;
      const asked = fillIn({ ...request, ...more }, chainState);
      return draftOf({ transaction: asked, chainState: at }, simulated, run, true);
    };
    const none = { l1Fee: null, operator: null };
    const plain = { status: "0x1", logs: [], effectiveGasPrice: "0x895440" };
    expect(drafted(none, {}).receipt).toEqual(plain);
    expect(drafted(none, {}).simulation).toEqual({
      ...{ method: "none", priced: true, differs: true, unavailable: [], refusal: null },
    });
    expect(drafted(none, {}, {}, { ...chainState, baseFee: 9_000_001n }).receipt.effectiveGasPrice).toBe("0x989680");
    expect(drafted(none, { gasUsed: "0x10" }).receipt).toEqual({ ...plain, gasUsed: "0x10" });
    const listed = drafted(
      { l1Fee: 5n, operator: { scalar: 6n, constant: 7n } },
      { gasUsed: "0x10" },
      { authorizations },
    );
    expect(listed.receipt).toEqual({
      ...{ ...plain, gasUsed: "0x30e4", l1Fee: "0x5", operatorFeeScalar: "0x6", operatorFeeConstant: "0x7" },
    });
    expect(listed.transaction).toMatchObject({ type: "0x4", authorizationList: [{ authority: alice }] });
  });
});
