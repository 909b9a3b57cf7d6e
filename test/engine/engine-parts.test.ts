import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { assessedAct } from "../../src/engine/assessed-act.ts";
import { buildEngine, version } from "../../src/engine/build-engine.ts";
import { alice, bob, carol, vault } from "../support/case-of.ts";

const world = vi.hoisted(() => ({ planned: [] as unknown[][], decided: [] as unknown[][] }));
vi.mock("../../src/engine/decide.ts", () => ({
  decide: (...given: unknown[]) => {
    world.decided.push(given);
    return { explanation: "e", pictureFacts: "p", evidence: () => ({ ruleset: "own", calls: [] }) };
  },
  plan: (...given: unknown[]) => {
    world.planned.push(given);
    return "a plan";
  },
}));
vi.mock("../../src/assess/principals.ts", () => ({
  withPermitOwners: (known: unknown, given: unknown) => [known, given],
}));
vi.mock("../../src/settle/principals.ts", () => ({ principalsOf: (...given: unknown[]) => [given] }));
vi.mock("../../src/settle/named-addresses.ts", () => ({
  namedAddresses: (settled: unknown) => ["named", settled],
  newControllers: (settled: unknown) => ["controllers", settled],
}));
vi.mock("../../src/ruleset/catalog.ts", () => ({ listCatalog: (ruleset: unknown) => ["catalog", ruleset] }));

describe("an engine", () => {
  const ruleset = {
    fingerprint: "f",
    names: ["n"],
    grants: {},
    actions: new Map([
      ["swap", {}],
      ["claim", {}],
      ["stake", {}],
    ]),
  } as never;
  const labels = { fingerprint: "l" } as never;
  const engine = buildEngine(ruleset, labels);
  const hash = createHash("sha256").update(`${version}\nf\nl`).digest("hex").slice(0, 32);

  it("has a hash of version, rules and labels, and its actions in order", () => {
    expect(version).toBe(packageJson.version);
    expect(engine).toMatchObject({
      ...{ ruleset: hash, actionTypes: ["claim", "stake", "swap"], catalog: ["catalog", ruleset] },
      ...{ protocols: [], labels, contracts: ["n"] },
    });
    const protocols = [{ id: "p" }] as never;
    expect(buildEngine(ruleset, labels, protocols).protocols).toBe(protocols);
    expect(buildEngine(ruleset, { fingerprint: "m" } as never).ruleset).not.toBe(hash);
  });

  it("decides by its rules, and names them in the evidence by its own hash", () => {
    const { evidence, ...decided } = engine.decide("case" as never);
    expect(decided).toEqual({ explanation: "e", pictureFacts: "p" });
    expect(evidence()).toEqual({ ruleset: hash, calls: [] });
    expect(world.decided).toEqual([["case", ruleset, labels]]);
  });

  it("plans the lookups of no address unless it is told to", () => {
    expect([engine.planLookups("a" as never), engine.planLookups("b" as never, 3)]).toEqual(["a plan", "a plan"]);
    expect(world.planned).toEqual([
      ["a", { ruleset, labels, lookupsMax: 0 }],
      ["b", { ruleset, labels, lookupsMax: 3 }],
    ]);
  });
});

describe("what flags and checks are made of", () => {
  const shared = { file: "file", subject: alice, ruleset: "rules", labels: "labels" };
  const unwrapped = { tx: "tx", calls: ["call"], actors: ["actor"] };
  /** An act whose rule has this anchor and home, where only these addresses are admitted by that home. */
  const act = (anchor: string, home: string, ...admitted: string[]) => ({
    rule: { anchor: { kind: anchor }, home: { kind: home } },
    context: { admits: (gate: { kind: string }, address: string) => gate.kind === home && admitted.includes(address) },
  });
  const made = (actions: object[] = []) => {
    const settled = { actions, money: { trail: "trail", markets: "markets" } };
    return { settled, made: assessedAct({ ...shared, unwrapped, settled } as never) };
  };

  it("is what the stages found, with everybody whose authority was used", () => {
    const { settled, made: told } = made();
    expect(told).toEqual({
      ...{ ...shared, tx: "tx", calls: ["call"], signed: null, trail: "trail", markets: "markets" },
      principals: [
        [alice, [unwrapped, settled.actions]],
        { file: "file", tx: "tx", calls: ["call"], actors: ["actor"], labels: "labels", ruleset: "rules" },
      ],
      named: ["named", settled],
      controllers: ["controllers", settled],
      isProven: expect.any(Function),
    });
  });

  it.each<[string, object[], boolean]>([
    ["no act", [], false],
    ["an act of a protocol with this contract", [act("log", "proof", vault)], true],
    ["an act of a protocol with others", [act("log", "proof", bob, carol)], false],
    ["an act at any contract", [act("log", "any", vault)], false],
    ["an act that rests on nothing", [act("none", "proof", vault)], false],
    ["the second of two acts", [act("call", "proof", bob), act("call", "list", vault)], true],
  ])("takes a contract as proven by %s: %s", (_name, actions, proven) => {
    expect(made(actions).made.isProven(vault)).toBe(proven);
  });
});
