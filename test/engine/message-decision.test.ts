import { describe, expect, it, vi } from "vitest";
import { decideMessage, planMessage } from "../../src/engine/messages/decide-message.ts";
import { limits } from "../../src/kernel/limits.ts";
import { alice, bob, carol, usdc, vault } from "../support/case-of.ts";

/** What the parts answer; and what they were given. */
const world = vi.hoisted(() => ({
  asked: {} as Record<string, unknown>,
  matched: undefined as object | undefined,
  tokens: [] as string[],
  given: new Map<string, unknown[]>(),
}));
const inner = vi.hoisted(() => ({ rule: { captures: new Map() }, context: {} }));
const part = vi.hoisted(() => (name: string, answer: (...given: never[]) => unknown) => (...given: never[]) => {
  world.given.set(name, given);
  return answer(...given);
});
vi.mock("../../src/rules/typed-data/asked.ts", () => ({ readAsked: part("asked", () => world.asked) }));
vi.mock("../../src/engine/normalize/normalize.ts", () => ({ normalize: part("normalize", () => "tx") }));
vi.mock("../../src/engine/match/messages/match-message.ts", () => ({
  matchMessage: part("message", () => world.matched),
}));
vi.mock("../../src/engine/match/messages/match-authorization.ts", () => ({
  matchAuthorization: part("authorization", () => world.matched),
}));
vi.mock("../../src/engine/carried-call.ts", () => ({
  decodeCarried: part("carried", () => ({ acts: { actions: [inner] }, decoded: { unwrapped: { calls: ["call"] } } })),
}));
vi.mock("../../src/engine/messages/carried-rights.ts", () => ({ carriedRights: part("rights", () => ["inner"]) }));
vi.mock("../../src/engine/messages/signed-act.ts", () => ({ signedAct: part("act", () => "the act") }));
vi.mock("../../src/engine/messages/message-plan.ts", () => ({
  tokensOfMessage: part("tokens", () => world.tokens),
  planMessageReads: part("reads", () => ["reads"]),
}));
vi.mock("../../src/engine/plan/risk-plan.ts", () => ({ planRisk: part("risk", () => "risk") }));
vi.mock("../../src/engine/messages/signed-call.ts", () => ({ signedCall: ({ acts }: { acts: object }) => acts }));
vi.mock("../../src/engine/carried-acts.ts", () => ({ carriedBy: part("within", () => "within") }));
vi.mock("../../src/engine/assess/assess.ts", () => ({ assess: part("assess", () => "assessment") }));
vi.mock("../../src/engine/present/message/message.ts", () => ({ presentMessage: (told: unknown) => told }));
vi.mock("../../src/engine/unwrap/gates.ts", () => ({ GateKeeper: class {} }));

const labels = { token: (address: string) => (address === usdc ? { symbol: "USDC" } : undefined) } as never;
const ruleset = {} as never;
const domain = { verifyingContract: vault };
const data = { primaryType: "Permit", typeHash: "h" };
const field = { path: "to", type: "address", value: bob };

/** Decides a message that is read as this, and that a rule knows as that. */
function decide(asked: object, matched?: object, from: string = alice) {
  world.given.clear();
  world.asked = { data, delegate: null, domain, fields: [field], account: null, primaryType: "Outer", ...asked };
  world.matched = matched;
  return decideMessage({ from }, ruleset, labels) as never as Record<string, unknown>;
}

describe("a message", () => {
  it("that no rule knows is told by its fields", () => {
    const told = decide({});
    expect(told).toEqual({
      ...{ file: world.given.get("normalize")?.[0], ruleset, labels, signer: alice, matched: undefined, carried: null },
      ...{
        rights: [],
        witness: [],
        fields: [field],
        domain,
        within: "within",
        primaryType: "Outer",
        contentsType: "Permit",
        account: alice,
      },
      assessment: "assessment",
    });
    expect(told.file).toMatchObject({ transaction: { from: alice, to: vault } });
    expect(world.given.get("within")?.[0]).toEqual([]);
    expect(world.given.has("carried")).toBe(false);
  });

  it("is about its signer where no contract checks it", () => {
    const { file, contentsType } = decide({ data: null, domain: { verifyingContract: null } });
    expect(file).toMatchObject({ transaction: { from: alice, to: alice } });
    expect(contentsType).toBeNull();
  });

  it.each<[string, object, string[]]>([
    ["typed data", {}, ["message"]],
    ["typed data before a delegate", { delegate: bob }, ["message"]],
    ["a delegate", { data: null, delegate: bob }, ["authorization"]],
    ["neither", { data: null }, []],
  ])("is matched as %s", (_what, asked, matchers) => {
    decide(asked);
    expect(["message", "authorization"].filter((name) => world.given.has(name))).toEqual(matchers);
  });

  it("gives what its rule says and then what the call in it asks for", () => {
    const call = { from: bob, to: carol, value: 0n, data: "0x12" };
    const captures = new Map([["to", { kind: "address", get: () => carol, sender: [] }]]);
    const matched = { call, rights: ["own"], rule: { captures }, context: {} };
    expect(decide({}, matched)).toMatchObject({ matched, rights: ["own", "inner"], carried: { actions: [inner] } });
    expect(world.given.get("carried")?.[0]).toBe(call);
    expect(world.given.get("rights")?.[0]).toEqual(["call"]);
    expect(world.given.get("within")?.[0]).toEqual([inner]);
    expect(world.given.get("act")?.[0]).toMatchObject({
      account: alice,
      matched,
      carried: { rights: ["inner"] },
      named: [carol],
    });
    expect(decide({}, { ...matched, call: null })).toMatchObject({ rights: ["own"], carried: null });
  });

  it("names whom only the part names that its rule does not know", () => {
    const values = [alice, carol, usdc, vault, bob].map((value) => ({ ...field, value }));
    const matched = {
      rights: [{ token: usdc, spender: carol }],
      rule: { captures: new Map() },
      context: {},
      call: null,
    };
    expect(decide({ fields: values }, { ...matched, open: true })).toMatchObject({ witness: [bob] });
    expect(world.given.get("act")?.[0]).toMatchObject({ named: [bob] });
    expect(decide({ fields: values }, { ...matched, open: false })).toMatchObject({ witness: [] });
  });

  it("is about the account in whose name it is signed, and names neither this nor the signer", () => {
    const { file, signer, account } = decide({
      account: carol,
      fields: [field, { ...field, value: alice }, { ...field, value: carol }],
    });
    expect([signer, account]).toEqual([alice, carol]);
    expect(file).toMatchObject({ transaction: { from: carol, to: vault } });
    expect(world.given.get("act")?.[0]).toMatchObject({ account: carol, named: [bob] });
  });

  it("has a signer with an address", () => {
    expect(decide({}, undefined, alice.toUpperCase().replace("0X", "0x")).signer).toBe(alice);
    expect(() => decide({}, undefined, "nobody")).toThrow(
      "The typed data cannot be read: `from` is `nobody`, which is no address.",
    );
  });
});

describe("what is looked up for a message", () => {
  const planned = (tokens: string[]) => {
    decide({});
    world.tokens = tokens;
    return planMessage({ from: alice }, { ruleset, labels, lookupsMax: 8 });
  };

  it("is each token once that nobody lists", () => {
    expect(planned([carol, usdc, bob, carol])).toEqual({ tokens: [carol, bob], reads: ["reads"], risk: "risk" });
    expect(world.given.get("risk")).toEqual(["the act", 8]);
  });

  it("is no more tokens than the limit", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `token ${i}`);
    const { tokensMax } = limits;
    expect(planned([usdc, ...many(tokensMax)]).tokens).toEqual(many(tokensMax));
    expect(planned(many(tokensMax + 1)).tokens).toEqual(many(tokensMax));
  });
});
