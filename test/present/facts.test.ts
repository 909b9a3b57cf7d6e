import { describe, expect, it } from "vitest";
import type { Grant } from "../../src/assess/grants/grants.ts";
import { type Address, checksum, toAddress } from "../../src/kernel/address.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { ActorCall, AssetChange } from "../../src/model/match.ts";
import type { Movement } from "../../src/model/transaction.ts";
import { AssetNames } from "../../src/present/amounts/asset-names.ts";
import { FlowPhrases } from "../../src/present/amounts/flow-phrases.ts";
import { listCounterparties } from "../../src/present/counterparties.ts";
import { tellLosses } from "../../src/present/given/losses.ts";
import { gatherPictureFacts } from "../../src/present/picture-facts.ts";
import { type RequestInput, tellRequest } from "../../src/present/preview/requested.ts";
import { parseTemplate } from "../../src/ruleset/compile/template.ts";
import { alice, bob, carol, caseOf, metadata, token, usdc, vault, weth, zero } from "../support/case-of.ts";
import { shippedLabels } from "../support/labels.ts";
import { shippedTeller } from "../support/wording.ts";

const teller = shippedTeller();
const labels = shippedLabels();
const odd = toAddress(`0x${"71".repeat(20)}`);
const namesOf = () => {
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
  const tokens = { [token]: metadata("ODD", 2), [odd]: metadata(null, null) };
  return new AssetNames(caseOf({ tokens }), labels, policy, teller);
};
const letters = new Map<Address, string>([
  [alice, "alice"],
  [bob, "bob"],
  [carol, "carol"],
  [vault, "vault"],
]);
const nameOf = (address: Address) => letters.get(address) ?? teller.short(address);
const numbered = (i: number) => toAddress(`0x${i.toString(16).padStart(40, "d")}`);

/** A movement of ether, or of a token. */
function move(
  from: Address,
  to: Address,
  amount: bigint,
  of: Address | null = null,
  more: Partial<Movement> = {},
): Movement {
  const standard = of === null ? "native" : "erc20";
  return {
    ...{ index: 0, standard, token: of, tokenId: null, amount, from, to, log: -1, call: -1, fee: false, basis: "log" },
    ...more,
  } as Movement;
}
const inTurn = (moves: Movement[]) => moves.map((one, index) => ({ ...one, index }));

describe("what an account gave and got", () => {
  const change = (of: Address | null, amount: bigint, movements: number[] = []): AssetChange => ({
    ...{ key: of ?? "native", kind: of === null ? "native" : "erc20", token: of, tokenId: null, amount, movements },
  });
  const flowOf = (flow: object) =>
    ({ account: alice, gives: [], gets: [], recipients: [], senders: [], complete: true, ...flow }) as never;
  const phrases = (flow: object, movements: Movement[] = [], target: Address | null = null) => {
    const flows = new FlowPhrases(namesOf(), teller, nameOf);
    const context = { flow: flowOf(flow), tx: { movements }, target, subject: alice } as never;
    return {
      gives: flows.side(context, "gives")?.text,
      gets: flows.side(context, "gets")?.text,
      others: flows.others(context)?.text,
      elsewhere: flows.elsewhere(context)?.text,
      chief: flows.chief(context)?.text,
    };
  };
  const all = [change(token, 150n), change(usdc, 1_000_000n), change(null, 10n ** 18n), change(weth, 10n ** 18n)];
  const short = teller.short(token);

  it.each([
    [all.slice(1, 2), "1 USDC"],
    [all.slice(0, 3), `1.5 "ODD" (${short}), 1 USDC and 1 ETH`],
    [all, "1 USDC, 1 ETH, 1 WETH and 1 more asset"],
    [[...all, ...all.slice(0, 1)], "1 USDC, 1 ETH, 1 WETH and 2 more assets"],
  ])("is told: up to three, what is listed first where there are more (%#)", (gives, told) => {
    expect(phrases({ gives }).gives).toBe(told);
  });

  it("is a stranger's word where a shown asset has a stranger's name, and not for what is counted", () => {
    const flows = new FlowPhrases(namesOf(), teller, nameOf);
    const untrusted = (gives: AssetChange[]) =>
      flows.side({ flow: flowOf({ gives }), tx: { movements: [] } } as never, "gives")?.untrusted;
    expect([untrusted(all.slice(0, 3)), untrusted(all), untrusted(all.slice(1))]).toEqual([true, false, false]);
  });

  it("is nothing where all was seen, and not known where it was not", () => {
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

  it("names whoever got most first, of what is listed first, and counts the others", () => {
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

  it("names who got more than half of ether or a listed token", () => {
    const chief = (of: Address | null, ...parts: [Address, Address, bigint][]) => {
      const movements = inTurn(parts.map(([from, to, amount]) => move(from, to, amount, of)));
      const amount = parts.filter(([from]) => from === alice).reduce((sum, [, , part]) => sum + part, 0n);
      return phrases(
        {
          gives: [
            change(
              of,
              amount,
              movements.map((_, i) => i),
            ),
          ],
        },
        movements,
      ).chief;
    };
    expect(chief(usdc, [alice, bob, 3_000_000n], [alice, carol, 2_000_000n])).toContain("3 USDC");
    expect(chief(usdc, [alice, bob, 3_000_000n], [alice, carol, 2_000_000n])).toContain("bob");
    expect(chief(usdc, [alice, bob, 1n], [alice, carol, 1n])).toBeUndefined();
    expect(chief(usdc, [alice, carol, 2n], [alice, bob, 2n], [alice, bob, 1n])).toContain("bob");
    expect(chief(usdc, [bob, carol, 9n], [alice, vault, 1n], [alice, bob, 1n])).toBeUndefined();
    expect(chief(token, [alice, bob, 5n])).toBeUndefined();
    expect(chief(null, [alice, bob, 10n ** 18n])).toContain("1 ETH");
  });
});

describe("losses that no act tells", () => {
  const loss = (of: Address | null, amount: bigint, more: object = {}) => ({
    ...{ account: alice, gross: amount, strangers: [], sent: [{ to: bob, amount }], reached: [] },
    asset: { key: of ?? "native", kind: "erc20", token: of, tokenId: null, amount, movements: [] },
    ...more,
  });
  const stranger = (to: Address, holders: Address[], amount: bigint) => ({ strangers: [{ to, holders, amount }] });
  const tools = { names: namesOf(), teller, nameOf };
  const told = (losses: object[], acts: object[] = []) =>
    tellLosses(losses as never, acts as never, tools).map(
      ({ account, predicate }) => `${nameOf(account)} ${predicate.text}`,
    );
  const act = (key: string, amount: bigint) => ({
    ...{ context: { subject: alice, tx: { weth: new Set([weth]) } }, amounts: [{ key, amount }] },
  });

  it("are told by receiver, what is listed first", () => {
    expect(told([])).toEqual([]);
    expect(told([loss(token, 150n), loss(usdc, 1_000_000n)])).toEqual([
      `alice sent 1 USDC and 1.5 "ODD" (${teller.short(token)}) to bob`,
    ]);
    expect(told([loss(usdc, 1_000_000n), loss(usdc, 1_000_000n, { account: carol })])).toEqual([
      "alice sent 1 USDC to bob",
      "carol sent 1 USDC to bob",
    ]);
  });

  it("go to strangers first, and to the one who holds it in the end", () => {
    const one = (holders: Address[]) =>
      told([loss(usdc, 1_000_000n, { sent: [], ...stranger(vault, holders, 1_000_000n) })]);
    expect([one([]), one([carol]), one([carol, bob])]).toEqual([
      ["alice sent 1 USDC to vault"],
      ["alice sent 1 USDC to carol"],
      ["alice sent 1 USDC to vault"],
    ]);
  });

  it.each([
    [1_000n, 980n, true],
    [1_000n, 979n, false],
    [1_000n, 1_020n, true],
    [1_000n, 1_021n, false],
    [1_000n, 1_000n, true],
  ])("of %i are told by an amount of %i: %j", (amount, said, isTold) => {
    expect(told([loss(usdc, amount)], [act(usdc, said)])).toHaveLength(isTold ? 0 : 1);
  });

  it("of ether are told by wrapped ether, and never by another's or another token's amount", () => {
    expect(told([loss(null, 1_000n)], [act(weth, 1_000n)])).toEqual([]);
    expect(told([loss(null, 1_000n), loss(weth, 500n)], [act("native", 1_500n)])).toEqual([]);
    expect(told([loss(usdc, 1_000_000n)], [act(token, 1_000_000n)])).toEqual(["alice sent 1 USDC to bob"]);
    expect(told([loss(usdc, 1_000_000n, { account: carol })], [act(usdc, 1_000_000n)])).toEqual([
      "carol sent 1 USDC to bob",
    ]);
  });

  it("that reached an act which does not say how much are told as given", () => {
    const reached = (subject: Address, redeemed = false) => ({
      ...{ sent: [], reached: [{ action: { context: { subject } }, amount: 1_000_000n, redeemed }] },
    });
    const one = told([loss(usdc, 1_000_000n, reached(alice))]);
    const other = told([loss(usdc, 1_000_000n, reached(bob)), loss(weth, 10n ** 18n, reached(bob))]);
    expect([one, other]).toEqual([["alice gave 1 USDC"], ["alice gave 1 USDC and 0.000000000001 WETH for it"]]);
    expect(told([loss(usdc, 1_000_000n, reached(alice))], [act(usdc, 1_000_000n)])).toEqual([]);
    expect(told([loss(usdc, 1_000_000n, reached(bob)), loss(weth, 10n ** 18n, reached(alice))])).toEqual([
      "alice gave 1 USDC and 0.000000000001 WETH",
    ]);
  });

  it("of receipts that were given back are told by their number, or by what came back", () => {
    const contextOf = (subject: Address, gets: object[] = []) => ({
      ...{ subject, flow: { gets } },
      tx: { weth: new Set([weth]), movements: [], status: "success" },
    });
    const said = (context: object, amount: bigint, { redeemed = true, own = {} as object } = {}) => {
      const reached = [{ action: { context: own }, amount: 1_000_000n, redeemed }];
      const acts = [{ context, amounts: [{ key: weth, amount }] }];
      return told([loss(usdc, 1_000_000n, { sent: [], reached })], acts);
    };
    const left = ["alice gave 1 USDC for it"];
    expect(said(contextOf(alice), 1_000_000n)).toEqual([]);
    expect(said(contextOf(alice), 1_000_000n, { redeemed: false })).toEqual(left);
    expect(said(contextOf(alice), 5n)).toEqual(left);
    expect(said(contextOf(alice, [{ key: weth }]), 5n)).toEqual([]);
    expect(said(contextOf(alice, [{ key: usdc }]), 5n)).toEqual(left);
    expect(said(contextOf(bob), 1_000_000n)).toEqual(left);
    const bobs = contextOf(bob);
    expect(said(bobs, 1_000_000n, { own: bobs })).toEqual([]);
    expect(said(bobs, 5n, { own: bobs })).toEqual(left);
  });

  it("are told one by one: an amount tells one of them", () => {
    const wrapped = [loss(null, 1_000n), loss(weth, 1_000n)];
    expect(told(wrapped, [act("native", 1_000n)])).toEqual([`alice sent 0.000000000000001 WETH to bob`]);
    expect(told(wrapped, [act("native", 1_000n), act("native", 1_000n)])).toEqual([]);
  });

  it("are told by several acts together", () => {
    const summed = (count: number) =>
      told([loss(usdc, BigInt(count) * 1_000n)], Array(count).fill(act(usdc, 1_000n))).length;
    expect([summed(12), summed(13)]).toEqual([0, 1]);
    expect(told([loss(usdc, 2_000n), loss(usdc, 9_000n)], [act(usdc, 2_000n), act(usdc, 1_000n)])).toEqual([
      "alice sent 0.009 USDC to bob",
    ]);
    expect(told([loss(usdc, 3_000n)], [act(usdc, 1_000n), act(usdc, 2_000n)])).toEqual([]);
    expect(told([loss(usdc, 2_000n), loss(usdc, 9_000n)], [act(usdc, 1_000n), act(usdc, 2_000n)])).toEqual([
      "alice sent 0.009 USDC to bob",
    ]);
  });
});

describe("what a transaction that nobody ran asks for", () => {
  const call = (id: number, to: Address | null, value = 0n): ActorCall => ({ id, to, value }) as ActorCall;
  const grant = (more: Partial<Grant>): Grant => ({ grantee: bob, token: usdc, amount: 1_000_000n, ...more }) as Grant;
  const act = (text: string, more: object = {}) => ({
    ...{ subject: teller.short(alice), text, untrusted: false, amounts: [], context: { authorization: null } },
    ...more,
  });
  const tell = (
    parts: Partial<Record<keyof RequestInput, unknown>> & {
      value?: bigint;
      authorizations?: object[];
      to?: Address | null;
    } = {},
  ) => {
    const { value = 0n, authorizations = [], to = vault, ...rest } = parts;
    return tellRequest({
      ...{ tx: { from: alice, to, value, authorizations }, subject: alice, acts: [], grants: [], told: new Set() },
      ...{ calls: [], refusal: null, names: namesOf(), teller, nameOf, ...rest },
    } as never);
  };
  const asks = (parts: Parameters<typeof tell>[0]) => tell(parts).asks.map(({ text }) => text);

  it.each<[string, Parameters<typeof tell>[0], string[]]>([
    ["nothing that is known", {}, []],
    ["acts, each once", { acts: [act("claim it"), act("claim it"), act("pay")] }, ["claim it", "pay"]],
    ["a call", { calls: [call(0, vault)] }, ["call vault"]],
    ["a call with ether", { calls: [call(0, vault, 10n ** 18n)], value: 10n ** 18n }, ["call vault with 1 ETH"]],
    [
      "the same call with and without ether",
      { calls: [call(0, vault), call(1, vault, 10n ** 18n)], value: 10n ** 18n },
      ["call vault with 1 ETH"],
    ],
    ["no word for a call that acts tell", { calls: [call(0, vault)], told: new Set([0]) }, []],
    ["no word for a creation", { calls: [call(0, null)] }, []],
    [
      "a right, and no word for its call",
      { calls: [call(0, usdc)], grants: [grant({ call: 0 })] },
      ["allow bob to spend 1 USDC"],
    ],
    ["no right that acts tell", { calls: [call(0, usdc)], grants: [grant({ call: 0 })], told: new Set([0]) }, []],
    ["a right without a call", { grants: [grant({})] }, ["allow bob to spend 1 USDC"]],
    [
      "a right over NFTs",
      { grants: [grant({ amount: null, token: vault })] },
      ["allow bob to move every token of vault"],
    ],
    ["ether that nothing tells", { value: 10n ** 18n }, ["send 1 ETH along"]],
    [
      "ether of which something is told",
      {
        value: 3n * 10n ** 18n,
        calls: [call(0, vault, 10n ** 18n)],
        acts: [act("pay", { amounts: [{ key: "native", amount: 10n ** 18n }] })],
      },
      ["pay", "call vault with 1 ETH", "send 3 ETH along"],
    ],
    [
      "ether of which all is told",
      {
        value: 2n * 10n ** 18n,
        calls: [call(0, vault, 10n ** 18n)],
        acts: [
          act("pay", {
            amounts: [
              { key: "native", amount: 10n ** 18n },
              { key: usdc, amount: 5n },
            ],
          }),
        ],
      },
      ["pay", "call vault with 1 ETH"],
    ],
    ["a delegation", { authorizations: [{ delegate: bob }] }, ["delegate its account to code at bob"]],
    [
      "calls through a stranger",
      { to: carol, nameOf: teller.short.bind(teller), calls: [call(1, vault)] },
      [`call ${teller.short(vault)}`, `have ${teller.short(carol)} do what it wants`],
    ],
    ["calls through somebody known", { to: carol, calls: [call(1, vault)] }, ["call vault"]],
    [
      "calls through itself",
      { to: alice, nameOf: teller.short.bind(teller), calls: [call(1, vault)] },
      [`call ${teller.short(vault)}`],
    ],
    [
      "a call of a stranger",
      { to: carol, nameOf: teller.short.bind(teller), calls: [call(0, carol), call(1, vault)] },
      [`call ${teller.short(carol)}`, `call ${teller.short(vault)}`],
    ],
  ])("%s", (_case, parts, expected) => {
    expect(asks(parts)).toEqual(expected);
  });

  it("tells ether of a call once, where an act tells the call", () => {
    const acts = [act("pay", { amounts: [{ key: "native", amount: 10n ** 18n }] })];
    const parts = { value: 10n ** 18n, acts, calls: [call(0, vault, 10n ** 18n)], told: new Set([0]) };
    expect(asks(parts)).toEqual(["pay"]);
  });

  it("leaves out a delegation that an act tells, and no other", () => {
    const [one, other] = [{ delegate: bob }, { delegate: carol }];
    const acts = [
      act("delegate", { context: { authorization: one } }),
      act("pay", { context: { authorization: null } }),
    ];
    expect(asks({ acts, authorizations: [one, other] })).toEqual([
      "delegate",
      "pay",
      "delegate its account to code at carol",
    ]);
  });

  it("is said in one to three sentences", () => {
    const [me, other] = [teller.short(alice), teller.short(bob)];
    const last = "Nobody simulated it: what would really happen is not known.";
    expect(tell({ acts: [act("claim it"), act("pay")] }).text).toBe(`${me} asks to claim it and pay. ${last}`);
    expect(tell({}).text).toBe(`${me} asks for something that could not be decoded. ${last}`);
    expect(tell({ acts: [act("pay", { subject: other })] }).text).toBe(`${me} asks ${other} to pay. ${last}`);
    expect(tell({ acts: [act("claim it"), act("pay", { subject: other, untrusted: true })] })).toEqual({
      text: `${me} asks to claim it. For ${other} it asks to pay. ${last}`,
      ...{ untrusted: true, asks: [{ text: "claim it", untrusted: false }], cut: false },
    });
    expect(tell({ calls: [call(0, vault)], refusal: "nonce_low" }).text).toBe(
      `${me} asks to call vault. A node would refuse it: its nonce was used before.`,
    );
    expect(tell({ calls: [call(0, vault)], subject: bob }).text).toBe(`${me} asks ${other} to call vault. ${last}`);
  });

  it("is cut where it is too long: others first, then the last of its own", () => {
    const long = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, i) => act(`${"x".repeat(60)} ${i}`, more));
    const own = tell({ acts: long(30) });
    expect(own.cut).toBe(true);
    expect(own.text.length).toBeLessThanOrEqual(limits.previewSummaryCharsMax);
    expect(own.text).toMatch(/ asks to x{60} 0, .*x{60} 7 and do 22 more things\. Nobody simulated it: [^.]+\.$/);
    expect(own.asks).toHaveLength(Math.min(30, limits.asksMax));
    const both = tell({ acts: [act("pay"), ...long(30, { subject: teller.short(bob) })] });
    expect([both.cut, both.text.includes("xxx"), both.asks.length]).toEqual([true, false, 1]);
    expect(tell({ acts: long(2) }).cut).toBe(false);
  });
});

describe("what a picture needs", () => {
  const grant = (more: object): Grant =>
    ({
      ...{
        owner: alice,
        grantee: bob,
        kind: "erc20",
        token: usdc,
        amount: 1_500_000n,
        manager: null,
        expiration: null,
      },
      ...{ uncertain: false, stands: true, logs: [], basis: "call", ...more },
    }) as Grant;
  const facts = (
    parts: {
      tx?: object;
      grants?: Grant[];
      calls?: object[];
      kept?: Movement[];
      settled?: object;
      logs?: object[];
    } = {},
  ) => {
    const tx = {
      ...{ from: alice, to: vault, movements: [], logs: [], mode: "mined", status: "success", input: "0x12345678ff" },
      ...{ revertData: null, revertError: null, ...parts.tx },
    };
    const findings = {
      ...{ tx, subject: alice, labels, unwrapped: { calls: parts.calls ?? [] } },
      ...{ settled: { actions: [], ...parts.settled }, completeness: { logs: parts.logs ?? [] } },
      ruleset: { grants: { unlimited: new Set([7n]), events: new Map() }, errors: new Map() },
      assessment: { grants: parts.grants ?? [] },
    } as never;
    return gatherPictureFacts(findings, parts.kept ?? [], { names: namesOf(), teller });
  };

  it("is who acted, and whom it called", () => {
    const none = { legs: [], cut: 0, changes: [], grants: [], labels: {}, failures: [], logs: [] };
    expect(facts()).toEqual({ subject: checksum(alice), sender: checksum(alice), target: checksum(vault), ...none });
    expect(facts({ tx: { to: null } }).target).toBeNull();
    expect(facts({ tx: { to: usdc } }).labels).toEqual({ [checksum(usdc)]: "USDC" });
  });

  it("says of each movement what the answer does not", () => {
    const kept = inTurn([
      move(alice, bob, 1n),
      move(alice, bob, 1n, odd, { fee: true }),
      move(alice, bob, 1n, odd, { standard: "erc721", tokenId: 1n, basis: "inferred" }),
      move(alice, bob, 1n, token, { basis: "calldata" }),
    ]);
    const told = facts({ kept, tx: { movements: [...kept, move(bob, carol, 1n)] } });
    expect(told.legs.map(({ movement, fee, raw, inferred }) => [movement, fee, raw, inferred])).toEqual([
      [0, false, false, false],
      [1, true, true, false],
      [2, false, false, true],
      [3, false, false, true],
    ]);
    expect(told.cut).toBe(1);
  });

  it("sums what the subject has more and less of, what it gave first", () => {
    const movements = inTurn([
      move(bob, alice, 5n, token),
      move(alice, bob, 2n, token),
      move(alice, bob, 10n ** 18n),
      move(alice, bob, 3n, odd),
      move(bob, alice, 1n, odd, { standard: "erc1155", tokenId: 9n }),
      move(alice, bob, 4n, usdc),
      move(bob, alice, 4n, usdc),
      move(alice, alice, 5n, weth),
      move(bob, carol, 5n, weth),
    ]);
    const change = (of: Address | null, name: string, delta: string, more: object = {}) => ({
      ...{
        token: name,
        untrusted: false,
        token_address: of === null ? null : checksum(of),
        delta,
        raw: false,
        ...more,
      },
    });
    const short = teller.short(odd);
    expect(facts({ tx: { movements } }).changes).toEqual([
      change(null, "ETH", "-1"),
      change(odd, short, "-3", { raw: true }),
      change(token, "ODD", "0.03", { untrusted: true }),
      change(odd, short, "1", { token_id: "9" }),
    ]);
    const many = inTurn(Array.from({ length: 201 }, (_, i) => move(alice, bob, 1n, numbered(i))));
    expect(facts({ tx: { movements: many } }).changes).toHaveLength(200);
  });

  it.each<[object, object]>([
    [{}, { amount: "1.5", unlimited: false, kind: "amount", raw: false, through: null, until: null }],
    [{ amount: 2n ** 255n }, { unlimited: true }],
    [{ amount: 2n ** 255n - 1n }, { unlimited: false }],
    [{ amount: 7n }, { unlimited: true, amount: "0.000007" }],
    [
      { amount: 9n, manager: { unlimited: 9n, never: 5n, protocol: "Permit2" } },
      { unlimited: true, through: "Permit2" },
    ],
    [{ expiration: 1_772_366_400n }, { until: "2026-03-01" }],
    [{ expiration: 253_402_300_799n }, { until: "9999-12-31" }],
    [{ expiration: 253_402_300_800n }, { until: null }],
    [{ expiration: 5n, manager: { unlimited: 9n, never: 5n, protocol: "P" } }, { until: null }],
    [
      { amount: null, kind: "operator" },
      { kind: "operator", amount: null, unlimited: false, raw: false },
    ],
    [{ amount: null, kind: "nft" }, { kind: "nft" }],
    [
      { kind: "managed", token: odd, uncertain: true },
      { kind: "amount", raw: true, amount: "1500000", uncertain: true },
    ],
  ])("tells a right %#", (given, expected) => {
    expect(facts({ grants: [grant(given)] }).grants).toEqual([expect.objectContaining(expected)]);
  });

  it("leaves out rights that ended, and more than fifty", () => {
    expect(facts({ grants: [grant({ stands: false })] }).grants).toEqual([]);
    expect(facts({ grants: Array.from({ length: 51 }, () => grant({})) }).grants).toHaveLength(50);
  });

  it("tells what failed: the whole, or calls inside of it, and nothing of what nobody ran", () => {
    const call = (state: string, more: object = {}) => ({ actor: alice, to: bob, input: "0x12345678", state, ...more });
    const whole = {
      ...{ from: checksum(alice), to: checksum(vault), selector: "0x12345678" },
      reason: null,
      untrusted: false,
    };
    const inner = { ...whole, to: checksum(bob) };
    expect(facts({ tx: { status: "reverted" }, calls: [call("failed")] }).failures).toEqual([whole]);
    expect(facts({ tx: { status: "reverted", to: null, input: "0x123456" } }).failures).toEqual([
      { ...whole, to: null, selector: null },
    ]);
    expect(facts({ tx: { status: "reverted", revertError: "odd thing" } }).failures).toEqual([
      { ...whole, reason: '"odd thing"', untrusted: true },
    ]);
    const calls = [call("executed"), call("failed"), call("failed", { to: null, input: "0x" })];
    expect(facts({ calls }).failures).toEqual([inner, { ...inner, to: null, selector: null }]);
    expect(facts({ calls: Array(21).fill(call("failed")) }).failures).toHaveLength(20);
    expect(facts({ tx: { status: "reverted", mode: "requested" } }).failures).toEqual([]);
    const named = (count: number) =>
      facts({ calls: [...Array(count).fill(call("failed")), call("failed", { actor: weth, to: usdc })] }).labels;
    expect(named(19)).toEqual({ [checksum(weth)]: "WETH9", [checksum(usdc)]: "USDC" });
    expect(named(20)).toEqual({});
    expect(facts({ grants: [grant({ owner: usdc, grantee: weth })], kept: [move(weth, alice, 1n)] }).labels).toEqual({
      ...{ [checksum(weth)]: "WETH9", [checksum(usdc)]: "USDC" },
    });
  });

  it("lists the logs that actions rest on and those that nobody explains, once and in order", () => {
    const log = (topics: string[]) => ({ address: bob, topics });
    const tx = { logs: [log(["0xa"]), log([]), log(["0xc"])] };
    const settled = { actions: [{ logs: [2, 0] }, { logs: [2, 9] }] };
    expect(facts({ tx, settled, logs: [{ index: 1 }, { index: 0 }] }).logs).toEqual([
      { log: 0, address: checksum(bob), topic0: "0xa" },
      { log: 1, address: checksum(bob), topic0: null },
      { log: 2, address: checksum(bob), topic0: "0xc" },
    ]);
    const many = { logs: Array.from({ length: limits.evidenceMax + 2 }, () => log([])) };
    const all = many.logs.map((_, index) => ({ index }));
    expect(facts({ tx: many, logs: all }).logs).toHaveLength(limits.evidenceMax);
    expect(
      facts({ tx: many, settled: { actions: [{ logs: [limits.evidenceMax + 1] }] }, logs: all }).logs.at(-1)?.log,
    ).toBe(limits.evidenceMax - 1);
  });
});

describe("who else took part", () => {
  const list = (
    parts: { movements?: Movement[]; calls?: object[]; losses?: object[]; tx?: object; actions?: object[] } = {},
  ) => {
    const movements = inTurn(parts.movements ?? []);
    const tx = { movements, to: vault, from: alice, created: null, listed: new Set([usdc]), ...parts.tx };
    const { counterparties, cut } = listCounterparties({
      ...{
        tx,
        subject: alice,
        calls: parts.calls ?? [],
        actions: parts.actions ?? [],
        losses: parts.losses ?? [],
        labels,
      },
    } as never);
    return { who: counterparties.map(({ address }) => nameOf(address.toLowerCase() as Address)), cut };
  };

  it("is in the order of what they had to do with the subject", () => {
    const movements = [move(carol, bob, 1n), move(alice, odd, 1n), move(zero, alice, 1n)];
    const calls = [
      { actor: alice, to: bob },
      { actor: carol, to: numbered(1) },
      { actor: alice, to: null },
    ];
    expect(list({ movements, calls }).who).toEqual([teller.short(odd), "bob", "vault", "carol"]);
    expect(list({ tx: { to: null, created: carol, from: bob } }).who).toEqual(["carol", "bob"]);
  });

  it("begins with whom the actions name, in the order of their sentences, and where they spoke", () => {
    const named = (address: unknown, sender: Address[] = []) => ({ kind: "address", get: () => address, sender });
    const captures = new Map([
      ["b", named(carol)],
      ["a", named(odd)],
      ["z", named(bob)],
      ["mine", named(numbered(9), [numbered(9)])],
      ["none", named("native")],
    ]);
    const rule = { does: parseTemplate("meet {z}"), captures };
    const from = (context: object) => list({ actions: [{ rule, context: { log: null, call: null, ...context } }] }).who;
    const told = ["bob", teller.short(odd), "carol"];
    expect(from({})).toEqual([...told, "vault"]);
    expect(from({ call: { to: numbered(1) } })).toEqual([...told, teller.short(numbered(1)), "vault"]);
    expect(from({ call: { to: numbered(1) }, log: { address: numbered(2) } })).toEqual([
      ...[...told, teller.short(numbered(2)), "vault"],
    ]);
  });

  it("stays in that order as long as there is room", () => {
    const movements = [move(alice, odd, 1n, token), move(alice, bob, 1n, usdc)];
    const losses = [{ asset: { token: usdc, movements: [1] }, strangers: [{ to: carol, amount: 1n, holders: [] }] }];
    expect(list({ movements, losses }).who).toEqual([teller.short(odd), "bob", "vault"]);
  });

  it("is no more than the limit: who took ether or listed tokens goes before all others", () => {
    const max = limits.counterpartiesMax;
    const junk = Array.from({ length: max + 1 }, (_, i) => move(alice, numbered(i), 1n, token));
    const few = list({ movements: junk.slice(0, max - 1) });
    expect([few.who.length, few.cut]).toEqual([max, 0]);
    const movements = [...junk, move(alice, bob, 1n, usdc), move(alice, carol, 5n, usdc)];
    expect(list({ movements }).who.slice(0, 3)).toEqual(["bob", "carol", teller.short(numbered(0))]);
    const asset = (of: Address | null) => ({ token: of, movements: [max + 1, max + 2] });
    const strangers = [
      { to: bob, amount: 1n, holders: [] },
      { to: vault, amount: 5n, holders: [carol] },
    ];
    const taken = (of: Address | null) => list({ movements, losses: [{ asset: asset(of), strangers }] });
    expect(taken(usdc).who.slice(0, 4)).toEqual(["vault", "carol", "bob", teller.short(numbered(0))]);
    expect(taken(null).who.slice(0, 3)).toEqual(["vault", "carol", "bob"]);
    expect(taken(token).who.slice(0, 2)).toEqual(["bob", "carol"]);
    const all = junk.map(({ to }) => ({ to, amount: 1n, holders: [] }));
    expect(list({ movements, losses: [{ asset: asset(usdc), strangers: all }] }).cut).toBe(1);
    expect(list({ movements, losses: [{ asset: asset(usdc), strangers: [] }] }).who.slice(0, 2)).toEqual([
      "carol",
      "bob",
    ]);
  });
});
