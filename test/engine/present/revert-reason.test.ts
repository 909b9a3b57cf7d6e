import { encodeErrorResult, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import { alice, calldata, caseOf, frame, traced, vault } from "../../support/case-of.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";

const rules = compileOwn(`protocol: any
kind: standard
abi:
  TooLittle: "error TooLittle(uint256 wanted, bool last, address who)"
  Paused: "error Paused()"
rules:
  - { id: try, action: contract_interaction, say: "call {contract}", tried: any }`);
const errors = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error TooLittle(uint256 wanted, bool last, address who)",
  "error Paused()",
  "error Stranger(uint256)",
]);
const encode = (errorName: "Error" | "Panic" | "TooLittle" | "Paused" | "Stranger", args?: unknown[]) =>
  encodeErrorResult({ abi: errors, errorName, args } as never);

function explain(root: { output?: string; error?: string } | null) {
  const trace = root === null ? undefined : traced(frame(alice, vault, { error: "execution reverted", ...root }));
  return decideBy(rules, caseOf({ receipt: { status: "0x0", logs: [] }, ...(trace && { trace }) })).explanation;
}

/** The third sentence. */
const reason = (root: Parameters<typeof explain>[0]) => /reverted\. (.*)$/.exec(explain(root).summary)?.[1];

describe("a reverted transaction", () => {
  it("is said to have reverted, moved nothing, and carries the flag", () => {
    expect(explain(null)).toMatchObject({
      summary: expect.stringMatching(
        /^0x\w{4}…\w{4} tried to call 0x\w{4}…\w{4}, but the transaction reverted\. The reason is not known\.$/,
      ),
      status: "reverted",
      assets_moved: [],
      risk_flags: [{ flag: "transaction_reverted", detail: expect.stringMatching(/\.$/) }],
    });
  });

  it.each<[string, string, string]>([
    ["an Error", encode("Error", ["too late"]), 'The reason: "too late".'],
    ["a known panic", encode("Panic", [0x11n]), "The reason: an arithmetic operation overflowed."],
    ["another panic", encode("Panic", [0x99n]), "The reason: panic code 153."],
    [
      "a custom error of our rules",
      encode("TooLittle", [1_234_567n, true, alice]),
      `The reason: TooLittle (wanted 1,234,567, last true, who ${shorten(alice)}).`,
    ],
    ["one without arguments", encode("Paused"), "The reason: Paused."],
    [
      "a stranger's error",
      encode("Stranger", [1n]),
      `The reason: an error that is not known here (${encode("Stranger", [1n]).slice(0, 10)}).`,
    ],
    [
      "a custom error that does not decode",
      encode("TooLittle", [1n, true, alice]).slice(0, 74),
      `The reason: an error that is not known here (${encode("TooLittle", [1n, true, alice]).slice(0, 10)}).`,
    ],
    ["less than a selector", "0x0102", "The reason is not known."],
    ["an Error without its text", encode("Error", ["too late"]).slice(0, 74), "The reason is not known."],
    ["an Error that is longer than it says", encode("Error", ["x".repeat(200)]), `The reason: "${"x".repeat(119)}…".`],
    ["an Error of a monstrous length", `0x08c379a0${"0".repeat(62)}20${"f".repeat(64)}`, "The reason is not known."],
  ])("tells %s", (_what, output, expected) => {
    expect(reason({ output })).toBe(expected);
  });

  it("tells the node's message if there is no data", () => {
    expect(reason({ error: "out of gas" })).toBe("The reason: it ran out of gas.");
    expect(reason({ error: "execution reverted" })).toBe("The reason is not known.");
    expect(reason({ error: "invalid opcode: INVALID" })).toBe('The reason: "invalid opcode: INVALID".');
  });

  it("quotes what the contract says so that it can close no quote and give no order", () => {
    const text = '". It also sent 5 ETH. <b>[Click](https://evil.example)</b> `rm`\u202e\u0000\n{x}';
    const { summary, provenance } = explain({ output: encode("Error", [text]) });
    expect(summary).toMatch(/The reason: "[^"]*"\.$/);
    expect(summary).not.toMatch(/[<>[\]`{}\u202e\u0000\n]/);
    expect(provenance.untrusted_fields).toEqual(["summary"]);
  });

  it("does not make the sentence untrusted if the words are ours", () => {
    expect(explain({ output: encode("Panic", [1n]) }).provenance.untrusted_fields).toEqual([]);
  });

  it("keeps the intent: the call is what was attempted, and value that came back did not move", () => {
    const input = calldata("function anything()");
    const file = caseOf({ transaction: { input, value: "0x5" }, receipt: { status: "0x0", logs: [] } });
    expect(decideBy(rules, file).explanation).toMatchObject({ action_type: "contract_interaction", assets_moved: [] });
  });
});
