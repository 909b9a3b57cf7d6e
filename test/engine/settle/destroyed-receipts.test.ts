import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  caseOf,
  listedNothing,
  logOf,
  transferLog as moved,
  token,
  usdc,
  vault,
  weth,
  zero,
} from "../../support/case-of.ts";

/** A known vault, and one whose shares stand for something unknown. */
const known = "0x0000000f2eb9f69274678c76222b35eec7588a65";
const receipt = "0xd4a0e0b9149bcee3c920d2e00b5de09138fd8bb7";
const unknown = "0x8888888888888888888888888888888888888888";
const odd = "0x7777777777777777777777777777777777777777";
const units = 10n ** 19n;

/** Acts that do not mention a receipt and bring alice something more. */
const beside: Record<string, RpcLog[]> = {
  "a deposit of a trifle": [
    moved(usdc, vault, known, 1000n),
    moved(known, zero, alice, 990n),
    logOf(known, "event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)", {
      sender: vault,
      owner: alice,
      assets: 1000n,
      shares: 990n,
    }),
  ],
  "an attestation and some dust": [
    logOf(
      "0x4200000000000000000000000000000000000021",
      "event Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)",
      { recipient: alice, attester: alice, uid: `0x${"11".repeat(32)}`, schemaUID: `0x${"22".repeat(32)}` },
    ),
    moved(usdc, vault, alice, 5n),
  ],
};

/** Alice's receipt is destroyed, directly or by the called contract, and the receipt's contract pays somebody. */
const destroyed = (of: string, asset: string, taker: string) => [
  [moved(of, alice, zero, units), moved(asset, of, taker, units)],
  [moved(of, alice, vault, units), moved(of, vault, zero, units), moved(asset, of, taker, units)],
];
const told = (logs: RpcLog[]) =>
  explainCase(caseOf({ ...listedNothing, transaction: { input: "0x12345678" }, receipt: { logs } })).explanation;

describe.each(Object.entries(beside))("a receipt that is destroyed beside %s", (_, act) => {
  it.each([
    ["a known asset", receipt, weth, "10 WETH"],
    [
      "an asset that anybody could have made",
      unknown,
      odd,
      "10,000,000,000,000,000,000 raw units of token 0x7777…7777",
    ],
  ])("is told with who got %s for it", (_name, of, asset, amount) => {
    for (const logs of destroyed(of, asset, token)) {
      const { summary, counterparties } = told([...act, ...logs]);
      expect(summary).toContain(`${amount} went to 0x7070…7070`);
      expect(counterparties.map(({ address }) => address.toLowerCase())).toContain(token);
    }
  });

  it("names an account that got more than a fee of what was paid for it, and no account that got a fifth or less", () => {
    for (const logs of destroyed(unknown, odd, alice)) {
      expect(told([...act, ...logs, moved(odd, unknown, bob, units / 5n)]).summary).not.toContain("went to");
      expect(told([...act, ...logs, moved(odd, unknown, bob, units / 2n)]).summary).toContain("went to 0xB0B0…B0B0");
    }
  });
});
