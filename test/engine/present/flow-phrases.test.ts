import { describe, expect, it } from "vitest";
import { FlowPhrases } from "../../../src/engine/present/amounts/flow-phrases.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { AssetChange } from "../../../src/model/match.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth, zero } from "../../support/case-of.ts";
import { inTurn, move, nameOf, namesOf, numbered, teller } from "./named-world.ts";

describe("what an account gave and got", () => {
  const change = (of: Address | null, amount: bigint, movements: number[] = []): AssetChange => ({
    ...{ key: of ?? "native", kind: of === null ? "native" : "erc20", token: of, tokenId: null, amount, movements },
  });
  const flowOf = (flow: object) =>
    ({ account: alice, gives: [], gets: [], recipients: [], senders: [], complete: true, ...flow }) as never;
  const phrases = (flow: object, movements: Movement[] = [], target: Address | null = null) => {
    const flows = new FlowPhrases(namesOf(), teller, nameOf);
    const context = { flow: flowOf(flow), tx: { movements, weth: new Set() }, target, subject: alice } as never;
    return {
      gives: flows.side(context, "gives")?.text,
      gets: flows.side(context, "gets")?.text,
      others: flows.others(context)?.text,
      senders: flows.senders(context)?.text,
      elsewhere: flows.elsewhere(context)?.text,
      chief: flows.chief(context)?.text,
      shares: flows.shares(context)?.text,
    };
  };
  const all = [change(token, 150n), change(usdc, 1_000_000n), change(null, 10n ** 18n), change(weth, 10n ** 18n)];
  const short = teller.short(token);

  it.each([
    [all.slice(1, 2), "1 USDC"],
    [all.slice(0, 3), `1.5 "ODD" (${short}), 1 USDC and 1 ETH`],
    [all, "1 ETH, 1 WETH, 1 USDC and 1 more asset"],
    [[...all, ...all.slice(0, 1)], "1 ETH, 1 WETH, 1 USDC and 2 more assets"],
    [
      [change(weth, 1n), change(null, 2n), ...all.slice(0, 2)],
      "1 USDC, 0.000000000000000001 WETH, 2 wei of ETH and 1 more asset",
    ],
  ])("is told: up to three, what counts most first where there are more (%#)", (gives, told) => {
    expect(phrases({ gives }).gives).toBe(told);
  });

  it("is told for the account that got the proceeds, with what it had of one asset in the end", () => {
    const sold = inTurn([move(alice, vault, 5n, token), move(vault, bob, 2_000_000n, usdc)]);
    const payee = (movements: Movement[]) => {
      const context = {
        flow: flowOf({ gives: [change(token, 5n)] }),
        tx: { movements, weth: new Set() },
        subject: alice,
      };
      return new FlowPhrases(namesOf(), teller, nameOf).payee(context as never)?.text;
    };
    expect(payee(sold)).toBe(`${nameOf(bob)} (2 USDC)`);
    expect(payee(inTurn([...sold, move(vault, bob, 1n, weth)]))).toBe(nameOf(bob));
    expect(payee(sold.slice(0, 1))).toBeUndefined();
  });

  const item = (id: bigint, amount = 1n, of = vault): AssetChange => ({
    ...{ key: `${of}:${id}`, kind: "nft", token: of, tokenId: id, amount, movements: [] },
  });
  const place = teller.short(vault);

  it.each([
    [[item(1n)], `NFT #1 of ${place}`],
    [[item(1n), item(2n)], `NFTs #1 and #2 of ${place}`],
    [[1n, 2n, 3n].map((id) => item(id)), `NFTs #1, #2 and #3 of ${place}`],
    [[1n, 2n, 3n, 4n, 5n].map((id) => item(id)), `NFTs #1, #2, #3 and 2 more of ${place}`],
    [[item(1n), item(2n, 5n), item(3n)], `NFTs #1 and #3 of ${place}, and 5 × NFT #2 of ${place}`],
    [[1n, 2n, 3n, 4n].map((id) => item(id, id)), /^NFT #1 of .*, 2 × NFT #2 of .*, 3 × NFT #3 of .* and 1 more asset$/],
    [[item(1n), item(2n), item(3n), item(4n, 1n, carol)], `NFTs #1, #2 and #3 of ${place}, and 1 more asset`],
    [[item(1n), item(2n), all[1] as AssetChange], `NFTs #1 and #2 of ${place}, and 1 USDC`],
    [[item(1n), { ...change(vault, 7n) }], new RegExp(`^NFT #1 of ${place} and 7 raw units of token ${place}$`)],
    [[item(1n, 1n, token), item(2n, 1n, token)], `"ODD" #1 and #2 (${short})`],
  ])("tells NFTs of a collection together (%#)", (gets, told) => {
    expect(phrases({ gets }).gets).toEqual(typeof told === "string" ? told : expect.stringMatching(told));
  });

  it("is untrusted text if a shown asset has a stranger's name, but not for assets that are only counted", () => {
    const flows = new FlowPhrases(namesOf(), teller, nameOf);
    const untrusted = (gives: AssetChange[]) =>
      flows.side({ flow: flowOf({ gives }), tx: { movements: [] } } as never, "gives")?.untrusted;
    expect([untrusted(all.slice(0, 3)), untrusted(all), untrusted(all.slice(1))]).toEqual([true, false, false]);
  });

  const sent = [move(alice, bob, 400_000n, usdc), move(alice, carol, 600_000n, usdc), move(alice, vault, 150n, token)];
  const dollars = change(usdc, 1_000_000n, [0, 1]);

  it.each<[string, object, string | undefined]>([
    ["two receivers", { gives: [dollars], recipients: [bob, carol] }, "0.4 USDC to bob and 0.6 USDC to carol"],
    [
      "three receivers of two assets",
      { gives: [dollars, change(token, 150n, [2])], recipients: [bob, carol, vault] },
      `0.4 USDC to bob, 0.6 USDC to carol and 1.5 "ODD" (${short}) to vault`,
    ],
    ["one receiver", { gives: [change(usdc, 400_000n, [0])], recipients: [bob] }, undefined],
    ["a part that was burned", { gives: [dollars], recipients: [bob, zero] }, undefined],
    ["a part that came back", { gives: [change(usdc, 900_000n, [0, 1])], recipients: [bob, carol] }, undefined],
    [
      "more than a sentence names",
      { gives: [dollars, change(token, 150n, [2]), change(weth, 5n, [3])], recipients: [bob, carol, vault] },
      undefined,
    ],
  ])("is told by receiver: %s", (_what, flow, told) => {
    expect(phrases(flow, inTurn([...sent, move(alice, bob, 5n, weth)])).shares).toBe(told);
  });

  it("is nothing if all ether was seen, and unknown otherwise", () => {
    expect(phrases({})).toEqual({});
    const unseen = phrases({ complete: false });
    expect(unseen.gives).toBe(unseen.gets);
    const inferred = phrases({ complete: false }, [move(alice, bob, 1n, null, { basis: "inferred" })]);
    expect(inferred.gives).toBe(unseen.gives);
    expect(inferred.gets).not.toBe(unseen.gets);
  });

  it.each<[object, string | undefined, string | undefined]>([
    [{ gives: [all[1]], recipients: [bob], senders: [carol] }, "bob", "bob"],
    [{ gets: [all[1]], recipients: [bob], senders: [carol] }, "carol", "carol"],
    [{ gives: [all[1]], recipients: [zero, bob] }, "bob", "bob"],
    [{ gives: [all[1]], recipients: [zero] }, undefined, undefined],
    [{ gives: [all[1]], recipients: [vault, bob] }, "vault and bob", "bob"],
    [{ gives: [all[1]], recipients: [usdc, bob] }, `${teller.short(usdc)} and bob`, "bob"],
    [{ gives: [all[1]], recipients: [bob, carol, alice] }, "bob, carol and alice", "bob, carol and alice"],
  ])("is told with who was on the other side: %#", (flow, others, elsewhere) => {
    const told = phrases(flow, [], vault);
    expect([told.others, told.elsewhere]).toEqual([others, elsewhere]);
  });

  it("is told with those from whom it came, no matter what was given for it, and not for minted tokens", () => {
    const traded = { gives: all.slice(1, 2), gets: all.slice(2, 3), recipients: [carol], senders: [bob, zero] };
    expect(phrases(traded).senders).toBe("bob");
    expect(phrases({ ...traded, senders: [bob, carol, vault, usdc] }).senders).toBe("bob, carol, vault and 1 other");
    expect(phrases({ ...traded, senders: [zero] }).senders).toBeUndefined();
  });

  it("names first those who got most, listed assets before others, and counts the rest", () => {
    const movements = inTurn([
      move(alice, numbered(1), 1n, token),
      move(alice, bob, 1n, usdc),
      move(alice, carol, 2n, usdc),
      move(alice, bob, 2n, usdc),
      move(alice, vault, 1n, usdc),
    ]);
    const recipients = [numbered(1), vault, carol, bob];
    const gives = [change(token, 1n, [0]), change(usdc, 6n, [1, 2, 3, 4])];
    expect(phrases({ gives, recipients }, movements).others).toBe("bob, carol, vault and 1 other");
    // As many as there is room for stay in their order.
    expect(phrases({ gives, recipients: [vault, carol, bob] }, movements).others).toBe("vault, carol and bob");
    const back = movements.map((one) => ({ ...one, from: one.to, to: alice }));
    expect(phrases({ gets: gives, senders: recipients }, back).others).toBe("bob, carol, vault and 1 other");
  });

  it("names the account with more than half of the ether or of a listed token in the end", () => {
    const chief = (of: Address | null, parts: [Address, Address, bigint][], more: AssetChange[] = []) => {
      const movements = inTurn(parts.map(([from, to, amount]) => move(from, to, amount, of)));
      const own = parts.filter(([from]) => from === alice);
      const amount = own.reduce((sum, [, , part]) => sum + part, 0n);
      const given = change(of, amount, [...movements.keys()]);
      const recipients = [...new Set(own.map(([, to]) => to))];
      return phrases({ gives: [given, ...more], recipients }, movements).chief;
    };
    const sold: [Address, Address, bigint][] = [
      [alice, bob, 3_000_000n],
      [alice, carol, 2_000_000n],
    ];
    expect(chief(usdc, sold)).toBe("3 USDC to bob");
    expect(chief(usdc, [...sold, [bob, vault, 2_900_000n]])).toBe("2.9 USDC to vault");
    const burned: typeof sold = [
      [alice, zero, 3_000_000n],
      [alice, carol, 2_000_000n],
    ];
    expect(chief(usdc, burned)).toBe("3 USDC was burned");
    expect(
      chief(usdc, [
        [alice, bob, 1n],
        [alice, carol, 1n],
      ]),
    ).toBeUndefined();
    expect(
      chief(usdc, [
        [alice, carol, 2n],
        [alice, bob, 2n],
        [alice, bob, 1n],
      ]),
    ).toContain("bob");
    expect(
      chief(usdc, [
        [bob, carol, 9n],
        [alice, vault, 1n],
        [alice, bob, 1n],
      ]),
    ).toBeUndefined();
    expect(chief(token, sold)).toBeUndefined();
    // If the sentence names the only receiver, it is not told again.
    expect(chief(null, [[alice, bob, 10n ** 18n]])).toBeUndefined();
    expect(
      chief(null, [
        [alice, bob, 9n],
        [bob, carol, 2n],
      ]),
    ).toBeUndefined();
    expect(
      chief(null, [
        [alice, bob, 9n],
        [bob, carol, 8n],
      ]),
    ).toContain("carol");
    expect(
      chief(
        usdc,
        [
          [alice, bob, 1_000_000n],
          [alice, carol, 0n],
        ],
        [change(token, 1n)],
      ),
    ).toBe("1 USDC to bob");
  });
});
