import { describe, expect, it } from "vitest";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { alice, someone, usdc } from "../../engine/assess/scene.ts";
import { decideFor, flagsOf, members, type Typed } from "./sample.ts";

const thief = someone("thief");

describe("an order that is to be signed", () => {
  const order = (message: Record<string, unknown>): Typed => ({
    types: {
      Order: members(
        "address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo, bytes32 appData, uint256 feeAmount, string kind, bool partiallyFillable, string sellTokenBalance, string buyTokenBalance",
      ),
    },
    primaryType: "Order",
    domain: {
      name: "Gnosis Protocol",
      version: "v2",
      chainId: 8453,
      verifyingContract: "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
    },
    message: {
      ...{ sellToken: usdc, buyToken: "0x4200000000000000000000000000000000000006", receiver: zeroAddress },
      ...{ sellAmount: "1000000000", buyAmount: "300000000000000000", validTo: 1_798_934_400, feeAmount: "0" },
      ...{ appData: `0x${"0".repeat(64)}`, kind: "sell", partiallyFillable: false },
      ...{ sellTokenBalance: "erc20", buyTokenBalance: "erc20", ...message },
    },
  });

  it.each([
    ["for a price", {}, "sell 1,000 USDC for at least 0.3 WETH on CoW Protocol, until 2027-01-03."],
    [
      "for nothing",
      { buyAmount: "0" },
      "sell 1,000 USDC on CoW Protocol, until 2027-01-03, and would get nothing for it.",
    ],
    [
      "for somebody else",
      { receiver: thief },
      /sell 1,000 USDC on CoW Protocol, until 2027-01-03, with at least 0\.3 WETH going to 0x\S+, and would get nothing for it\.$/,
    ],
    ["to oneself", { receiver: alice }, "sell 1,000 USDC for at least 0.3 WETH on CoW Protocol, until 2027-01-03."],
    [
      "to buy",
      { kind: "buy", feeAmount: "1000000" },
      "give up to 1,001 USDC for 0.3 WETH on CoW Protocol, until 2027-01-03.",
    ],
    ["for ether", { buyToken: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" }, "for at least 0.3 ETH on CoW Protocol"],
  ])("%s is told so", (_, message, told) => {
    const decision = decideFor(order(message));
    expect(decision.explanation.summary).toMatch(
      told instanceof RegExp ? told : new RegExp(told.replace(/[.]/g, "\\.")),
    );
    const forNothing = decision.explanation.summary.includes("nothing");
    expect(flagsOf(decision)).toEqual(forNothing ? ["gives_for_nothing"] : []);
    expect(decision.explanation.action_type).toBe("swap");
  });
});
