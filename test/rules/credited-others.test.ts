import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import { buildCase } from "../../src/tools/lint/examples/given.ts";
import { GivenNames } from "../../src/tools/lint/examples/given-names.ts";
import { shippedWorld } from "./world.ts";

const world = shippedWorld();
const stranger = "0x5715c0fFEe5715c0FFee5715c0fFee5715c05715";
const named = "0x5715…5715";
const front = "0xFA4000000000000000000000000000000000fA40";

type Log = Record<string, unknown>;

/** The summary of a call that alice makes. Names of contracts and events are those in the protocol's rule file. */
function tell(protocol: string, to: string, logs: Log[], more: Log = {}): string {
  const scope = world.scopes.get(protocol);
  if (scope === undefined) throw new Error(`no file ${protocol}`);
  const names = new GivenNames(scope, (id) => world.scopes.get(id), world.labels);
  const given = { from: "alice", to, data: "0x12345678", logs, ...more };
  return decide(buildCase(given as never, names), world.ruleset, world.labels).explanation.summary;
}

const pay = (to: string, amount = "5000000000", from = "alice", token = "USDC"): Log => ({
  transfer: { token, from, to, amount },
});
/** Alice's money, sent on by a contract that nobody knows. */
const paidOn = (to: string, token = "USDC"): Log[] => [
  pay(front, "5000000000", "alice", token),
  pay(to, "5000000000", front, token),
];
const swap: Log[] = [pay(front, "7000000", "alice", "DAI"), pay("alice", "6900000", front, "USDC")];

describe("money in a protocol's own books for somebody else", () => {
  it.each<[string, string, string, Log[]]>([
    [
      "supplied to Morpho beside a swap",
      "morpho",
      front,
      [
        ...swap,
        ...paidOn("morpho", "WETH"),
        { Supply: { at: "morpho", caller: front, onBehalf: stranger, assets: "5000000000" } },
      ],
    ],
    [
      "put up at Morpho beside a supply of one's own",
      "morpho",
      "bundler",
      [
        pay("morpho", "1"),
        { Supply: { at: "morpho", caller: "bundler", onBehalf: "alice", assets: "1" } },
        pay("morpho"),
        { SupplyCollateral: { at: "morpho", caller: "bundler", onBehalf: stranger, assets: "5000000000" } },
      ],
    ],
    [
      "repaid at Morpho beside a supply of one's own",
      "morpho",
      front,
      [
        pay("morpho", "1"),
        { Supply: { at: "morpho", caller: front, onBehalf: "alice", assets: "1" } },
        ...paidOn("morpho"),
        { Repay: { at: "morpho", caller: front, onBehalf: stranger, assets: "5000000000" } },
      ],
    ],
    [
      "supplied to Aave through a contract that nobody knows",
      "aave-v3",
      front,
      [
        ...paidOn("pool"),
        { Supply: { at: "pool", reserve: "USDC", user: front, amount: "5000000000", onBehalfOf: stranger } },
      ],
    ],
    [
      "repaid at 40 Acres",
      "forty-acres",
      "loan",
      [pay("bob"), { LoanPaid: { at: "loan", tokenId: "7", borrower: stranger, amount: "5000000000" } }],
    ],
    [
      "staked at Run Money",
      "runmoney",
      "club",
      [pay("club"), { Staked: { at: "club", user: stranger, amount: "5000000000" } }],
    ],
    [
      "deposited at Aura",
      "aura",
      "booster",
      [pay("voter_proxy"), { Deposited: { at: "booster", user: stranger, poolid: "3", amount: "5000000000" } }],
    ],
    [
      "paid in at a mech of Olas",
      "olas-mech",
      "tracker.1",
      [pay("tracker.1"), { Deposit: { at: "tracker.1", account: stranger, token: "USDC", amount: "5000000000" } }],
    ],
    [
      "bought as tickets of Megapot",
      "megapot",
      front,
      [
        ...paidOn("jackpot"),
        { UserTicketPurchase: { at: "jackpot", recipient: stranger, ticketsPurchasedTotalBps: "70000", buyer: front } },
      ],
    ],
  ])("is told with him: %s", (_what, protocol, to, logs) => {
    expect(tell(protocol, to, logs)).toContain(named);
  });

  it("says at which protocol", () => {
    const logs = [
      ...paidOn("pool"),
      { Supply: { at: "pool", reserve: "USDC", user: front, amount: "5000000000", onBehalfOf: stranger } },
    ];
    expect(tell("aave-v3", front, logs)).toBe(
      `0xA11C…11Ce called 0xFA40…Fa40, giving 5,000 USDC to Aave v3 Pool. It also acted for ${named} at Aave v3.`,
    );
  });
});
