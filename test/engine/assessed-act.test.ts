import { describe, expect, it, vi } from "vitest";
import { assessedAct } from "../../src/engine/assessed-act.ts";
import { alice, bob, carol, vault } from "../support/case-of.ts";

vi.mock("../../src/engine/assess/principals.ts", () => ({
  withPermitOwners: (known: unknown, given: unknown) => [known, given],
}));
vi.mock("../../src/engine/settle/principals.ts", () => ({ principalsOf: (...given: unknown[]) => [given] }));
vi.mock("../../src/engine/settle/named-addresses.ts", () => ({
  namedAddresses: (settled: unknown) => ["named", settled],
  newControllers: (settled: unknown) => ["controllers", settled],
}));

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
      isPrecompile: expect.any(Function),
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
