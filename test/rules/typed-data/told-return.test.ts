import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import { alice, someone, usdc } from "../../engine/assess/scene.ts";
import { decideFor, flagsOf, members } from "./sample.ts";

const thief = someone("thief");
const collection = someone("collection");
const ether = 10n ** 18n;

interface Item {
  itemType?: number;
  token?: string;
  amount: bigint;
  recipient?: string;
}

const written = ({ itemType = 0, token = `0x${"0".repeat(40)}`, amount, recipient }: Item) => ({
  ...{ itemType, token, identifierOrCriteria: "7", startAmount: String(amount), endAmount: String(amount) },
  ...(recipient && { recipient }),
});

/** An order of alice at Seaport. */
function decideOrder(offer: Item[], consideration: Item[]) {
  const item = "uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount";
  return decideFor({
    types: {
      OrderComponents: members(
        "address offerer, address zone, OfferItem[] offer, ConsiderationItem[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 counter",
      ),
      OfferItem: members(item),
      ConsiderationItem: members(`${item}, address recipient`),
    },
    primaryType: "OrderComponents",
    domain: {
      name: "Seaport",
      version: "1.6",
      chainId: 8453,
      verifyingContract: "0x0000000000000068F116a894984e2DB1123eB395",
    },
    message: {
      ...{ offerer: alice, zone: `0x${"0".repeat(40)}`, offer: offer.map(written) },
      ...{ consideration: consideration.map(written), orderType: 0, startTime: 0, endTime: 0, salt: 0, counter: 0 },
      ...{ zoneHash: `0x${"0".repeat(64)}`, conduitKey: `0x${"0".repeat(64)}` },
    },
  });
}

const nft: Item = { itemType: 2, token: collection, amount: 1n };
const dollars: Item = { itemType: 1, token: usdc, amount: 5_000_000_000n };
const pays = (recipient: string, amount: bigint): Item => ({ amount, recipient });

describe("what an order asks for", () => {
  it.each<[string, Item[], Item[], boolean, string | null]>([
    ["all for the signer", [nft], [pays(alice, ether)], false, null],
    ["but for a fee", [nft], [pays(alice, 8n * ether), pays(thief, 2n * ether)], false, null],
    ["but for more than a fee", [nft], [pays(alice, 8n * ether), pays(thief, 2n * ether + 4n)], true, null],
    ["mostly for another", [nft], [pays(alice, ether), pays(thief, 9n * ether)], true, null],
    ["all for another", [nft], [pays(thief, ether)], true, "nothing"],
    ["a trifle, and the rest for another", [nft], [pays(alice, 1n), pays(thief, ether)], true, "next to nothing"],
    ["a trifle", [nft], [pays(alice, 1n)], false, "next to nothing"],
    [
      "less than a hundredth of the same",
      [dollars],
      [{ ...dollars, amount: 49_999_999n, recipient: alice }],
      false,
      "next to nothing",
    ],
    ["a hundredth of the same", [dollars], [{ ...dollars, amount: 50_000_000n, recipient: alice }], false, null],
    ["less than a hundredth of its worth", [dollars], [pays(alice, ether / 1_000n)], false, "next to nothing"],
    ["a hundredth of its worth", [dollars], [pays(alice, ether / 100n)], false, null],
    [
      "something whose worth nobody knows",
      [dollars],
      [{ itemType: 1, token: collection, amount: 1n, recipient: alice }],
      false,
      null,
    ],
    ["a trifle for dollars", [dollars], [pays(alice, 1n)], false, "next to nothing"],
    ["a trifle for a trifle", [{ ...dollars, amount: 1n }], [pays(alice, 1n)], false, null],
    [
      "what nobody knows the worth of",
      [dollars],
      [{ itemType: 1, token: thief, amount: 1n, recipient: alice }],
      false,
      null,
    ],
    ["an NFT", [dollars], [{ ...nft, recipient: alice }], false, null],
  ])("%s is told so", (_what, offer, consideration, goesElsewhere, nothing) => {
    const decision = decideOrder(offer, consideration);
    const { summary, counterparties } = decision.explanation;
    expect(summary.includes(`going to ${shorten(thief)}`)).toBe(goesElsewhere);
    const isParty = counterparties.some(({ address }) => address.toLowerCase() === thief);
    if (goesElsewhere) expect(isParty).toBe(true);
    expect(/would get (.*) for it\.$/.exec(summary)?.[1] ?? null).toBe(nothing);
    expect(flagsOf(decision)).toEqual(nothing === null ? [] : ["gives_for_nothing"]);
  });
});
