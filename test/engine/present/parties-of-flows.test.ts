import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { FlowPhrases } from "../../../src/engine/present/amounts/flow-phrases.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, carol, caseOf, token, usdc, vault, weth } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const dora = `0x${"d0".repeat(20)}` as Address;
const letters = new Map<Address, string>([
  [bob, "bob"],
  [carol, "carol"],
  [vault, "vault"],
  [dora, "dora"],
]);

type Moved = [party: Address, amount: bigint, of?: Address | null];

/** The accounts that the sentence names when alice gave these amounts to each, or got them. */
function others(moved: Moved[], side: "gives" | "gets" = "gives", listed = [...letters.keys()]): string | undefined {
  const movements = moved.map(([party, amount, of = usdc]) =>
    side === "gives" ? { from: alice, to: party, amount, of } : { from: party, to: alice, amount, of },
  );
  const assets = [...new Set(movements.map(({ of }) => of))].map((of) => ({
    ...{ token: of, movements: movements.flatMap((move, index) => (move.of === of ? [index] : [])) },
    amount: movements.reduce((sum, move) => (move.of === of ? sum + move.amount : sum), 0n),
  }));
  const flow = { account: alice, gives: [], gets: [], recipients: listed, senders: listed, [side]: assets };
  const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);
  const flows = new FlowPhrases(names, teller, (address) => letters.get(address) ?? "?");
  return flows.others({ flow, tx: { movements } } as never)?.text;
}

describe("more parties than a sentence names", () => {
  it.each<[string, Moved[], string]>([
    [
      "who got most is first",
      [
        [bob, 1n],
        [carol, 3n],
        [vault, 2n],
        [dora, 4n],
      ],
      "dora, carol, vault",
    ],
    [
      "those who got as much stay in order",
      [
        [dora, 5n],
        [carol, 5n],
        [bob, 5n],
        [vault, 5n],
      ],
      "dora, carol, bob",
    ],
    [
      "what one got is added up",
      [
        [bob, 2n],
        [carol, 3n],
        [vault, 1n],
        [dora, 2n],
        [vault, 3n],
      ],
      "vault, carol, bob",
    ],
    [
      "all of ether counts",
      [
        [bob, 1n, null],
        [carol, 9n, null],
        [vault, 5n, null],
        [dora, 7n, null],
      ],
      "carol, dora, vault",
    ],
    [
      "the best place of each counts",
      [
        [bob, 1n],
        [carol, 9n],
        [vault, 5n],
        [carol, 1n, weth],
        [dora, 7n, weth],
      ],
      "carol, dora, vault",
    ],
    [
      "a stranger's token counts last",
      [
        [bob, 9n, token],
        [carol, 8n, token],
        [vault, 1n],
        [dora, 2n],
      ],
      "dora, vault, bob",
    ],
    [
      "whoever got a trifle stands behind",
      [
        [bob, 1n],
        [carol, 10n ** 18n, null],
        [vault, 9n, weth],
        [dora, 8n, weth],
      ],
      "carol, bob, vault",
    ],
  ])("%s", (_how, moved, named) => {
    const { text } = teller.say("value.and_others", { first: named, count: 1 });
    expect(others(moved)).toBe(text);
    expect(others(moved, "gets")).toBe(text);
  });

  it("three stay in their order, and four are no longer all named", () => {
    const moved: Moved[] = [
      [bob, 1n],
      [carol, 3n],
      [vault, 2n],
      [dora, 4n],
    ];
    expect(others(moved, "gives", [bob, carol, vault])).toBe("bob, carol and vault");
    expect(others(moved, "gives", [bob])).toBe("bob");
    expect(others(moved, "gives", [])).toBeUndefined();
    // Whose part came back took no part in what is told.
    expect(others(moved.slice(1))).toBe("carol, vault and dora");
  });
});

describe("amounts of a side", () => {
  it.each([0, 1, 3, 4, 6])("are recorded, named or counted: %i", (count) => {
    const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);
    const flows = new FlowPhrases(names, teller, () => "?");
    const gives = [usdc, weth, token, vault, bob, carol].slice(0, count).map((of, i) => ({
      ...{ key: of, kind: "erc20", token: of, tokenId: null, amount: BigInt(i + 1), movements: [] },
    }));
    const recorded = names.record();
    flows.side({ flow: { gives, gets: [], complete: true }, tx: { movements: [] } } as never, "gives");
    expect(recorded).toEqual(gives.map(({ key, amount }) => ({ key, amount })));
  });
});
