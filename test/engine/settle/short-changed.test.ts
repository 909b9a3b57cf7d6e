import { describe, expect, it } from "vitest";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  listedNothing,
  logOf,
  transferLog,
  usdc,
  vault,
  weth,
} from "../../support/case-of.ts";
import { compileOwn, compileShipped, decideBy } from "../../support/own-rules.ts";
import { shippedTeller } from "../../support/wording.ts";
import { head } from "./hub-rules.ts";

const flows = compileShipped("flow");
const teller = shippedTeller();
const [a, called, pool] = [alice, vault, carol].map((one) => teller.short(one));

/** Alice calls the vault, which sells 1,000 USDC of hers to carol. The logs say where the proceeds go. */
const sold = (...logs: ReturnType<typeof transferLog>[]) => {
  const ways = [transferLog(usdc, alice, vault, 1_000_000_000n), transferLog(usdc, vault, carol, 1_000_000_000n)];
  // An account that writes a log is not one from which something was taken.
  const written = logOf(carol, "event Sold()", {});
  const transaction = { input: calldata("function go()") };
  const file = caseOf({ ...listedNothing, transaction, receipt: { logs: [...ways, ...logs, written] } });
  return decideBy(flows, file).explanation.summary;
};
const eth = (tenths: bigint) => tenths * 10n ** 17n;
const paid = transferLog(weth, carol, vault, eth(5n));
const exchanged = (amount: string) => `${a} called ${called}, giving 1,000 USDC and receiving ${amount}.`;
const had = (amount: string, to = called) => `By this ${amount} went to ${to}.`;

describe("a contract that sells for an account and keeps what came", () => {
  it("is told if the account got nothing", () => {
    expect(sold(paid)).toBe(`${a} called ${called}, giving 1,000 USDC to ${pool}. ${had("0.5 WETH")}`);
  });

  it("is told if the account got less than others and exchanged nothing", () => {
    const trifle = transferLog(weth, vault, alice, 10n ** 12n);
    expect(sold(paid, trifle)).toBe(`${exchanged("0.000001 WETH")} ${had("0.499999 WETH")}`);
    expect(sold(paid, trifle, transferLog(weth, vault, bob, eth(4n)))).toBe(
      `${exchanged("0.000001 WETH")} ${had("0.4 WETH", teller.short(bob))}`,
    );
    expect(sold(paid, transferLog(weth, vault, alice, eth(2n)))).toBe(`${exchanged("0.2 WETH")} ${had("0.3 WETH")}`);
  });

  it("counts as the seller if the account got most of it, and is told if it kept more than a fee", () => {
    expect(sold(paid, transferLog(weth, vault, alice, eth(4n)))).toBe(`${a} swapped 1,000 USDC for 0.4 WETH.`);
    expect(sold(paid, transferLog(weth, vault, alice, eth(3n)))).toBe(
      `${a} swapped 1,000 USDC for 0.3 WETH. ${had("0.2 WETH")}`,
    );
  });
});

describe("an exchange for next to nothing", () => {
  /** Alice gives 1,000 USDC to the contract that she calls, which gives her something. */
  const given = (rules: typeof flows, ...logs: ReturnType<typeof transferLog>[]) => {
    const transaction = { input: calldata("function go()") };
    const all = [transferLog(usdc, alice, vault, 1_000_000_000n), ...logs];
    return decideBy(rules, caseOf({ ...listedNothing, transaction, receipt: { logs: all } })).explanation.summary;
  };
  const trifle = transferLog(weth, vault, alice, 10n ** 12n);

  it("is not called an exchange if no known contract proves it", () => {
    expect(given(flows, trifle)).toBe(`${exchanged("0.000001 WETH")} What the call was for is not known.`);
    expect(given(flows, transferLog(weth, vault, alice, eth(3n)))).toBe(`${a} swapped 1,000 USDC for 0.3 WETH.`);
  });

  it("is told with a known contract that asked for it, but not with the one that got it from there", () => {
    const trade = `${head("hub")}
  - { id: trade, action: swap, anchor: { call: act }, at: hub, money: { gives: some fungible, gets: some fungible }, say: "swap {gives} for {gets}" }`;
    const hub = compileOwn(trade);
    const act = (...logs: ReturnType<typeof transferLog>[]) => {
      const transaction = { input: calldata("function act(uint256 amount)", [1n]) };
      const receipt = { logs: [transferLog(usdc, alice, vault, 1_000_000_000n), trifle, ...logs] };
      return decideBy(hub, caseOf({ ...listedNothing, transaction, receipt })).evidence().actions.length;
    };
    expect(act()).toBe(1);
    expect(act(transferLog(usdc, vault, bob, 1_000_000_000n), transferLog(weth, bob, vault, 10n ** 12n))).toBe(0);
  });
});
