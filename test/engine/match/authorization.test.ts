import { numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { alice, bob, carol, caseOf, transferLog, usdc, zero } from "../../support/case-of.ts";
import { compileShipped, decideBy, runStages } from "../../support/own-rules.ts";

const rules = compileShipped("envelope", "erc20", "flow");
const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
const authority = toAddress(account.address);
const send = { to: usdc, input: `0xa9059cbb${bob.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}` } as const;

async function sign(address: typeof bob, nonce = 6) {
  const { r, s, yParity } = await account.signAuthorization({ chainId: 8453, nonce, address });
  const parts = { chainId: "0x2105", nonce: numberToHex(nonce), address, r, s };
  return { ...parts, yParity: numberToHex(yParity ?? 0) };
}

function told(file: ReturnType<typeof caseOf>) {
  return runStages(file, rules).settled.actions.map(({ rule, context }) => [rule.id, context.subject]);
}

describe("a delegation", () => {
  it("goes before the sender's own transfer, which stays", async () => {
    const file = caseOf({
      transaction: { ...send, from: authority, authorizationList: [await sign(carol)] },
      receipt: { logs: [transferLog(usdc, authority, bob, 5n)] },
    });
    expect(told(file)).toEqual([
      ["envelope/delegation-set", authority],
      ["erc20/transfer", authority],
    ]);
  });

  it("of another account is that account's, after what the sender did", async () => {
    const file = caseOf({
      transaction: { ...send, authorizationList: [await sign(carol)] },
      receipt: { logs: [transferLog(usdc, alice, bob, 5n)] },
    });
    expect(told(file)).toEqual([
      ["erc20/transfer", alice],
      ["envelope/delegation-set", authority],
    ]);
  });

  it("stands where the transaction reverted", async () => {
    const reverted = { status: "0x0", logs: [] };
    const file = caseOf({ transaction: { to: bob, authorizationList: [await sign(carol)] }, receipt: reverted });
    expect(told(file)).toEqual([
      ["flow/call", alice],
      ["envelope/delegation-set", authority],
    ]);
    const tried = { ...send, from: authority, authorizationList: [await sign(carol)] };
    expect(decideBy(rules, caseOf({ transaction: tried, receipt: reverted })).explanation.summary).toMatch(
      /^\S+ tried to send .+, but the transaction reverted\. It also delegated its account's code to \S+\./,
    );
  });

  it("without a signature names no account, and clearing it is told as clearing", () => {
    const summary = (address: typeof bob) => {
      const authorizationList = [{ chainId: "0x2105", nonce: "0x6", address }];
      return decideBy(rules, caseOf({ transaction: { authorizationList } })).explanation.summary;
    };
    expect(summary(carol)).toMatch(/^An account whose signature was not recorded delegated its code to 0x/);
    expect(summary(zero)).toMatch(
      /^An account whose signature was not recorded cleared the code that it delegates to\./,
    );
  });
});
