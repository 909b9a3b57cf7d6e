import { hashTypedData, keccak256, stringToHex, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../../../src/rules/abi/message.ts";
import { alice, someone, usdc } from "../../engine/assess/scene.ts";
import { ruleset } from "../../property/world.ts";
import { decideFor, members, type Typed } from "./sample.ts";

const collection = someone("collection");
const thief = someone("thief");
const seaport = "0x0000000000000068F116a894984e2DB1123eB395";
const zeros = `0x${"00".repeat(32)}`;

const types = {
  OrderComponents: members(
    "address offerer, address zone, OfferItem[] offer, ConsiderationItem[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 counter",
  ),
  OfferItem: members(
    "uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount",
  ),
  ConsiderationItem: members(
    "uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient",
  ),
};

const empty = {
  ...{ offerer: zeroAddress, zone: zeroAddress, offer: [], consideration: [], orderType: 0, startTime: 0, endTime: 0 },
  ...{ zoneHash: zeros, salt: 0, conduitKey: zeros, counter: 0 },
};

/** A token that is offered for ether, which `to` gets. */
function listing(id: number, wei: string, to: string = alice) {
  const item = { itemType: 2, token: collection, identifierOrCriteria: id, startAmount: 1, endAmount: 1 };
  const price = { itemType: 0, token: zeroAddress, identifierOrCriteria: 0, startAmount: wei, endAmount: wei };
  return { ...empty, offerer: alice, offer: [item], consideration: [{ ...price, recipient: to }], salt: id };
}

/** Orders as applications send them: a tree, filled up with empty orders. */
function bulk(orders: readonly object[], height: number): Typed {
  let level: unknown[] = Array.from({ length: 2 ** height }, (_, i) => orders[i] ?? empty);
  for (let left = height; left > 1; left--)
    level = Array.from({ length: level.length / 2 }, (_, i) => [level[2 * i], level[2 * i + 1]]);
  return {
    types: { BulkOrder: [{ name: "tree", type: `OrderComponents${"[2]".repeat(height)}` }], ...types },
    primaryType: "BulkOrder",
    domain: { name: "Seaport", version: "1.6", chainId: 8453, verifyingContract: seaport },
    message: { tree: level },
  };
}

describe("orders that are signed at once", () => {
  it.each([1, 2, 3, 5, 6])("are told whatever the height of their tree: %i", (height) => {
    const typed = bulk([listing(7, "1000000000000000000"), listing(8, "500000000000000000")], height);
    // The wallet signs it like that.
    expect(hashTypedData(typed as never)).toMatch(/^0x/);
    const { rule, explanation } = decideFor(typed);
    expect(rule?.id).toBe("seaport/sign-orders");
    expect(explanation.summary).toMatch(
      /is asked to sign 2 orders at once on OpenSea Seaport, to offer NFTs #7 and #8 of \S+ for at least 1\.5 ETH\.$/,
    );
    expect(explanation.risk_flags).toEqual([]);
  });

  it("say that one of them brings nothing", () => {
    const orders = [listing(7, "1000000000000000000"), listing(8, "1000000000000000000"), listing(9, "1", thief)];
    const { explanation } = decideFor(bulk(orders, 2));
    expect(explanation.summary).toMatch(
      /sign 3 orders at once .*for at least 2 ETH, and would get nothing for a part of it\.$/,
    );
    expect(explanation.risk_flags).toMatchObject([{ flag: "gives_for_nothing" }]);
    expect(explanation.risk_flags[0]?.detail).toContain("a part gives assets");
    const none = decideFor(bulk([listing(9, "1", thief)], 1)).explanation;
    expect(none.summary).toMatch(/, and would get nothing for it\.$/);
  });

  it("are no orders of a contract that nobody knows, or of another type", () => {
    const foreign = bulk([listing(7, "5")], 1);
    foreign.domain.verifyingContract = thief;
    expect(decideFor(foreign).rule).toBeNull();
    const other = bulk([listing(7, "5")], 1);
    other.types.BulkOrder = [{ name: "trees", type: "OrderComponents[2]" }];
    other.message.trees = other.message.tree;
    delete other.message.tree;
    expect(decideFor(other).rule).toBeNull();
    const list = bulk([listing(7, "5")], 1);
    list.types.BulkOrder = [{ name: "tree", type: "OrderComponents[]" }];
    expect(decideFor(list).rule).toBeNull();
  });
});

describe("a message with a tree", () => {
  const text = "message Bulk(Leaf[2]... tree) Leaf(address token, uint256 amount)";

  it("has a type hash for each height, and is read as a list", () => {
    const item = parseMessage(text);
    const hashOf = (height: number) =>
      keccak256(stringToHex(`Bulk(Leaf${"[2]".repeat(height)} tree)Leaf(address token,uint256 amount)`));
    expect(item.hash).toBe(hashOf(1));
    expect(item.tree?.taller).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10].map(hashOf));
    expect(item.inputs.items[0]).toMatchObject({ kind: "array", length: null });
    expect(parseMessage("message Leaf(address token, uint256 amount)").tree).toBeNull();
  });

  it("is refused where it is taller than any message has room for", () => {
    const typed = bulk([listing(7, "5")], 1);
    typed.types.BulkOrder = [{ name: "tree", type: `OrderComponents${"[2]".repeat(11)}` }];
    expect(() => decideFor(typed)).toThrow("which is none");
    typed.types.BulkOrder = [{ name: "tree", type: "OrderComponents[2][2][2][2][3]" }];
    expect(() => decideFor(typed)).toThrow("which is none");
  });
});

describe("a 0x OTC order", () => {
  it("has the type hash of the exchange proxy, and is told", () => {
    const typed: Typed = {
      types: {
        OtcOrder: members(
          "address makerToken, address takerToken, uint128 makerAmount, uint128 takerAmount, address maker, address taker, address txOrigin, uint256 expiryAndNonce",
        ),
      },
      primaryType: "OtcOrder",
      domain: { chainId: 8453, verifyingContract: "0xDef1C0ded9bec7F1a1670819833240f027b25EfF" },
      message: {
        ...{ makerToken: usdc, takerToken: someone("other"), makerAmount: "5000000", takerAmount: "0" },
        ...{ maker: alice, taker: thief, txOrigin: thief, expiryAndNonce: String((1_798_934_400n << 192n) + 3n) },
      },
    };
    const { rule, explanation } = decideFor(typed);
    expect(rule?.id).toBe("zeroex/sign-otc-order");
    expect(explanation.summary).toMatch(/sell 5 USDC on 0x, until 2027-01-03, and would get nothing for it\.$/);
    const [hash] = [...ruleset.messages].find(([, rules]) => rules.some(({ id }) => id === rule?.id)) ?? [];
    expect(hash).toBe("0x2f754524de756ae72459efbe1ec88c19a745639821de528ac3fb88f9e65e35c8");
  });
});
