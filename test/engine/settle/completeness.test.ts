import { describe, expect, it } from "vitest";
import { netsOf } from "../../../src/engine/settle/completeness.ts";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  logOf,
  metadata,
  nftTransferLog,
  token,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { compileOwn, compileShipped, decideBy } from "../../support/own-rules.ts";
import { paid as paidTo } from "./reached-case.ts";

const dai = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb";

const rules = compileOwn(`protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, Hub hub: "${checksum(vault)}" }
abi:
  Did: "event Did(address indexed who, uint256 amount)"
  act: "function act(uint256 amount)"
rules:
  - id: did
    action: lending_supply
    anchor: { event: Did }
    at: hub
    subject: who
    money: { paid: { from: subject, to: hub, amount: amount } }
    say: "supply to {protocol}"`);
const didLog = logOf(vault, "event Did(address indexed who, uint256 amount)", { who: alice, amount: 5n });
const paid = [transferLog(usdc, alice, vault, 5n), didLog];
const shown = {
  trace: { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] },
};

/** What the act of these rules does not say itself. */
const gave = "It also gave 0.000005 USDC for it.";

function told(further: RpcLog[], more: Parameters<typeof caseOf>[0] = {}) {
  const decision = decideBy(rules, caseOf({ receipt: { logs: [...paid, ...further] }, ...shown, ...more }));
  const { summary, partial, provenance } = decision.explanation;
  return {
    last: summary.split(". ").slice(1).join(". "),
    partial,
    untrusted: provenance.untrusted_fields,
    evidence: decision.evidence(),
  };
}

describe("value that no action explains", () => {
  it("is empty if everything is claimed", () => {
    const { last, partial, evidence } = told([]);
    // The act does not tell its amount, so the summary does.
    expect({ last, partial }).toEqual({ last: "It also gave 0.000005 USDC for it.", partial: false });
    expect(evidence.completeness).toEqual({
      movements: { explained: 1, total: 1 },
      calls: { explained: 1, total: 1 },
    });
  });

  it("is told by amount, with its direction", () => {
    expect(told([transferLog(weth, vault, alice, 500_000_000_000_000_000n)])).toMatchObject({
      last: `${gave} 0.5 WETH received is not explained.`,
      partial: true,
      untrusted: [],
    });
  });

  it("is told with two amounts, and a count of the rest", () => {
    const logs = [
      transferLog(weth, vault, alice, 500_000_000_000_000_000n),
      transferLog(dai, vault, alice, 1_500_000_000_000_000_000n),
      transferLog(token, vault, alice, 7n),
    ];
    expect(told(logs.slice(0, 2)).last).toBe(`${gave} 0.5 WETH received and 1.5 DAI received are not explained.`);
    const three = told(logs);
    const said = "0.5 WETH received, 1.5 DAI received and 1 more asset are not explained.";
    expect(three.last).toBe(`${gave} ${said}`);
    expect(three.evidence.completeness.movements).toEqual({ explained: 1, total: 4 });
    expect(three.evidence.partial[0]).toBe(said);
  });

  it("marks the sentence where a stranger chose the symbol", () => {
    const logs = [transferLog(token, carol, alice, 70n)];
    expect(told(logs, { tokens: { [token]: metadata("FREE", 1) } })).toMatchObject({
      last: `${gave} 7 "FREE" (0x7070…7070) received is not explained.`,
      untrusted: expect.arrayContaining(["summary"]),
    });
  });

  it("names an NFT", () => {
    const nft = nftTransferLog(token, carol, alice, 9n);
    expect(told([nft]).last).toMatch(
      /^It also gave 0\.000005 USDC for it\. NFT #9 of 0x7070…7070 received is not explained\.$/,
    );
  });

  it("does not contain amounts that come back, amounts of zero, transfers to oneself, or movements of others", () => {
    const logs = [
      transferLog(weth, alice, bob, 9n),
      transferLog(weth, bob, alice, 9n),
      transferLog(token, alice, carol, 0n),
      transferLog(token, alice, alice, 3n),
      transferLog(token, carol, bob, 3n),
    ];
    expect(told(logs)).toMatchObject({ last: gave, partial: false });
  });

  it("is the difference if only a part comes back", () => {
    const logs = [transferLog(dai, alice, vault, 10n ** 18n), transferLog(dai, vault, alice, 3n * 10n ** 18n)];
    expect(told(logs).last).toBe(`${gave} 2 DAI received is not explained.`);
  });

  it("does not contain what went out, which is told with its receiver", () => {
    const { last, partial } = told([transferLog(dai, alice, carol, 2n * 10n ** 18n)]);
    expect({ last, partial }).toEqual({
      last: `It also sent 2 DAI to ${shorten(carol)} and gave 0.000005 USDC for it.`,
      partial: false,
    });
  });

  it("does not contain what a stranger gave, which is told with its receiver", () => {
    const { last, partial } = told([transferLog(weth, carol, alice, 500_000_000_000_000_000n)]);
    expect(last).toBe(`${gave} ${shorten(carol)} sent 0.5 WETH to ${shorten(alice)}.`);
    expect(partial).toBe(true);
  });

  it("is told before what could not be seen", () => {
    const untraced = { trace: { source: "none" as const, reason: "no endpoint" } };
    const { last, evidence } = told([transferLog(weth, vault, alice, 500_000_000_000_000_000n)], untraced);
    const said = "0.5 WETH received is not explained.";
    expect(last).toBe(`${gave} ${said}`);
    expect(evidence.partial).toEqual([said, "Ether moved inside the call could not be traced."]);
  });
});

describe("calls and logs that are not explained", () => {
  it("are listed in the evidence", () => {
    const other = logOf(carol, "event Other(uint256 amount)", { amount: 1n });
    const { evidence } = told([other]);
    expect(evidence.unclaimed_logs).toEqual([{ log: 2, address: carol, topic0: other.topics[0] }]);
    expect(evidence.unexplained_calls).toEqual([]);
  });

  it("are empty if an event without an own action type tells the call", () => {
    const admin = compileShipped("admin", "flow");
    const owner = logOf(vault, "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)", {
      previousOwner: alice,
      newOwner: bob,
    });
    const input = calldata("function transferOwnership(address newOwner)", [bob]);
    const file = caseOf({ transaction: { to: vault, input }, receipt: { logs: [owner] }, ...shown });
    const { explanation, evidence } = decideBy(admin, file);
    expect(explanation.summary).toContain(" the owner of ");
    expect(evidence().unexplained_calls).toEqual([]);
  });

  it("are all calls and logs if there is no action", () => {
    const input = calldata("function act(uint256 amount)", [5n]);
    const { explanation, evidence } = decideBy(rules, caseOf({ transaction: { input }, ...shown }));
    expect(explanation).toMatchObject({ action_type: "unknown", partial: true });
    expect(evidence().unexplained_calls).toEqual([{ call: 0, to: vault, selector: input.slice(0, 10) }]);
    expect(evidence().completeness.calls).toEqual({ explained: 0, total: 1 });
  });
});

describe("nets of movements", () => {
  it("are the differences for an account, by asset, in order", () => {
    const nft = move(token, bob, alice, 1n, { tokenId: 3n });
    const nets = netsOf([paidTo(bob), move(usdc, bob, alice, 4n), paidTo(bob, null), nft], alice);
    expect([...nets]).toEqual([
      [usdc, -6n],
      ["native", -10n],
      [`${token}:3`, 1n],
    ]);
  });
});
