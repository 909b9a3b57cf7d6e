import { numberToHex } from "viem";
import { describe, expect, it } from "vitest";
import { alice, bob, calldata, carol, caseOf, frame, token, traced, transferLog, usdc } from "../../support/case-of.ts";
import { compileShipped, decideBy, runStages } from "../../support/own-rules.ts";

const ruleset = compileShipped("gelato", "forwarders", "erc20", "flow");
const executor = "0x08efb6d315c7e74c39620c9aaea289730f43a429";
const relay = "0xd8253782c45a12053594b9deb72d8e8ab2fca54c";
const forwarder = "0xd04f98c88ce1054c90022ee34d566b9237a1203c";
const word = numberToHex(7, { size: 32 });
const transfer = calldata("function transfer(address to, uint256 amount)", [bob, 5n]);

const sponsored = calldata(
  "function sponsoredCallERC2771((uint256 chainId, address target, bytes data, address user, uint256 userNonce, uint256 userDeadline) call, address sponsor, address feeToken, uint256 oneBalanceChainId, bytes userSignature, uint256 nativeToFeeTokenXRateNumerator, uint256 nativeToFeeTokenXRateDenominator, bytes32 correlationId)",
  [[8453n, usdc, transfer, carol, 1n, 2n], alice, usdc, 1n, "0xab", 1n, 1n, word],
);
const concurrent = calldata(
  "function sponsoredCallConcurrentERC2771((uint256 chainId, address target, bytes data, address user, bytes32 userSalt, uint256 userDeadline) call, address sponsor, address feeToken, uint256 oneBalanceChainId, bytes userSignature, uint256 nativeToFeeTokenXRateNumerator, uint256 nativeToFeeTokenXRateDenominator, bytes32 correlationId)",
  [[8453n, usdc, transfer, carol, word, 2n], alice, usdc, 1n, "0xab", 1n, 1n, word],
);
const submitted = (service: string) =>
  calldata(
    "function execWithSigs((bytes32 correlationId, (address service, bytes data, uint256 salt, uint256 deadline) msg, bytes executorSignerSig, bytes checkerSignerSig) call)",
    [[word, [service, sponsored, 1n, 2n], "0xab", "0xcd"]],
  );
const forwarded = calldata(
  "function execute((address from, address to, uint256 value, uint256 gas, uint256 nonce, bytes data) req, bytes signature)",
  [[carol, usdc, 0n, 1n, 1n, transfer], "0xab"],
);
const logs = [transferLog(usdc, carol, bob, 5n)];

describe("a call that somebody else submits", () => {
  it.each([
    ["the relay of Gelato", relay, sponsored],
    ["its relay for concurrent calls", "0xc65d82ece367ef06bf2ab791b3f3cf037dc0e816", concurrent],
    ["the executor that carries the relay's call", executor, submitted(relay)],
    ["a forwarder", forwarder, forwarded],
  ])("is its signer's act behind %s", (_what, to, input) => {
    const { explanation, evidence } = decideBy(ruleset, caseOf({ transaction: { to, input }, receipt: { logs } }));
    expect(evidence().subject).toBe(carol);
    expect(explanation.summary).toMatch(/^0xC4c4…c4C4 sent 0\.000005 USDC to 0xB0B0…B0B0\./);
  });

  it.each([
    ["a stranger's relay", token, sponsored],
    ["an executor that carries a stranger's call", executor, submitted(token)],
    ["a stranger's forwarder", token, forwarded],
  ])("is nobody else's behind %s", (_what, to, input) => {
    const { unwrapped } = runStages(caseOf({ transaction: { to, input }, receipt: { logs } }), ruleset);
    expect(unwrapped.subject).toBe(alice);
  });

  it("is found in a trace with the signer's address behind its calldata", () => {
    const inner = frame(relay, usdc, { input: `${transfer}${carol.slice(2)}` });
    const trace = traced(frame(alice, relay, { input: sponsored, calls: [inner] }));
    const { unwrapped } = runStages(caseOf({ transaction: { to: relay, input: sponsored }, trace }), ruleset);
    expect(unwrapped.calls[1]).toMatchObject({ actor: carol, to: usdc, state: "executed" });
  });
});
