import { describe, expect, it } from "vitest";
import { type Address, deadAddress, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { atAcme, right, sentences, the } from "./looked-scene.ts";
import { acme, dora, erik, fred, moveOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

/** The accounts that must be examined, with their roles. None was looked up in the lists, although the check says `ok`. */
function strangers(parts: SceneParts): string[] {
  const rest = " was not looked for in the drainer lists, which is told as done.";
  return sentences(parts, { checks: { drainer_blacklist: "ok" } }).map((text) => {
    expect(text).toContain(rest);
    return text.replace(rest, "");
  });
}

describe("accounts that must be examined", () => {
  it("include the called contract, unless it is known, or the transaction failed or creates a contract", () => {
    expect(strangers({})).toEqual([the("called contract", vault)]);
    expect(strangers({ facts: { succeeded: false } })).toEqual([]);
    expect(strangers({ facts: { called: null } })).toEqual([]);
    expect(strangers({ facts: { called: alice } })).toEqual([]);
    expect(strangers({ facts: atAcme })).toEqual([]);
  });

  it.each<[string, Address]>([
    ["a predeploy", weth],
    ["a precompile", toAddress(`0x${"0".repeat(39)}4`)],
    ["nobody", zeroAddress],
    ["a burn address", deadAddress],
  ])("is not %s", (_, called) => expect(strangers({ facts: { called } })).toEqual([]));

  it("include those that got a right, a delegation, control, code or money, each once with its first role", () => {
    const list = [bob, zeroAddress].map((address) => ({ chainId: "0x0", address, nonce: "0x1" }));
    const loss = moveOf(usdc, alice, fred, 200n);
    const parts: SceneParts = {
      facts: atAcme,
      moves: [loss],
      steps: stepsOf({ input: "0x01" }, { parent: 0, type: "DELEGATECALL", from: alice, to: erik, input: "0x02" }),
      scene: {
        rights: [right(alice, carol)],
        controls: [carol, dora, undefined].map((party) => ({ of: alice, what: "x", party, number: undefined })),
      },
    };
    const scene = sceneOf(parts);
    const file = { transaction: { ...scene.facts.file.transaction, authorizationList: list as never } };
    expect(strangers({ ...parts, file })).toEqual([
      the("spender", carol),
      the("delegate", bob),
      the("new controller", dora),
      the("code that ran for the account", erik),
      the("receiver", fred),
    ]);
  });

  it("include code that ran for an account of a principal, except the code behind its own proxy", () => {
    const ran = (...steps: Parameters<typeof stepsOf>) => strangers({ facts: atAcme, steps: stepsOf(...steps) });
    const call = { from: carol, to: alice, input: "0x01" };
    const inner = { parent: 0, type: "DELEGATECALL", from: alice, to: bob, input: "0x02" };
    expect(ran(call, inner)).toEqual([the("code that ran for the account", bob)]);
    expect(ran(call, { ...inner, input: "0x01" })).toEqual([]);
    expect(ran(call, { ...inner, type: "CALL" })).toEqual([]);
    expect(ran(call, { ...inner, from: carol })).toEqual([]);
    expect(ran({ ...inner, parent: -1 })).toEqual([the("code that ran for the account", bob)]);
  });

  it("include a receiver of more than a hundredth that gave nothing of worth for it", () => {
    const got = (amount: bigint, ...more: ReturnType<typeof moveOf>[]) =>
      strangers({ facts: atAcme, moves: [moveOf(usdc, alice, bob, amount), ...more] });
    const fee = (amount: bigint) => [moveOf(usdc, alice, carol, amount)];
    expect(got(99n, ...fee(1n))).toEqual([the("receiver", bob)]);
    expect(got(98n, ...fee(2n))).toEqual([the("receiver", bob), the("receiver", carol)]);
    expect(got(198n, ...fee(2n))).toEqual([the("receiver", bob)]);
    expect(got(197n, ...fee(2n))).toEqual([the("receiver", bob), the("receiver", carol)]);
    expect(got(9n, moveOf(null, bob, acme, 1n))).toEqual([]);
    expect(got(9n, moveOf(token, bob, acme, 1n))).toEqual([the("receiver", bob)]);
  });

  it("include the account that got the other side of an exchange if the principal got nothing", () => {
    const given = moveOf(usdc, alice, acme, 5n);
    const onward = (...moves: ReturnType<typeof moveOf>[]) => strangers({ facts: atAcme, moves: [given, ...moves] });
    expect(onward(moveOf(null, acme, bob, 3n))).toEqual([the("receiver of the proceeds", bob)]);
    expect(onward(moveOf(null, acme, bob, 3n), moveOf(null, bob, carol, 3n))).toEqual([
      the("receiver of the proceeds", carol),
    ]);
    // These count for nothing: a worthless token, one from another account, one beside a gain of the principal, and one of the same asset.
    expect(onward(moveOf(token, acme, bob, 3n))).toEqual([]);
    expect(onward(moveOf(null, dora, bob, 3n))).toEqual([]);
    expect(onward(moveOf(null, acme, bob, 3n), moveOf(token, acme, alice, 1n))).toEqual([]);
    expect(onward(moveOf(null, alice, bob, 3n))).toEqual([the("receiver", bob)]);
    // What the principal itself gave of it was already judged as its loss.
    expect(onward(moveOf(null, alice, acme, 3n), moveOf(null, acme, bob, 3n))).toEqual([]);
    // The least of it is enough, and each side is asked once.
    expect(onward(moveOf(null, acme, bob, 1n))).toEqual([the("receiver of the proceeds", bob)]);
    expect(onward(moveOf(null, acme, bob, 3n), moveOf(null, acme, carol, 2n), moveOf(null, acme, bob, 1n))).toEqual([
      the("receiver of the proceeds", bob),
      the("receiver of the proceeds", carol),
    ]);
  });

  it("do not include the giver, which is no market for its own loss", () => {
    const moves = [moveOf(usdc, alice, acme, 5n), moveOf(null, alice, bob, 3n), moveOf(null, bob, alice, 3n)];
    expect(strangers({ facts: atAcme, moves })).toEqual([]);
    const passed = [moveOf(usdc, alice, acme, 5n), moveOf(null, dora, alice, 3n), moveOf(null, alice, bob, 3n)];
    expect(strangers({ facts: atAcme, moves: passed })).toEqual([]);
  });

  it("do not include a called account that gave only its own money and got nothing from the sender", () => {
    const own = [moveOf(token, vault, acme, 5n)];
    expect(strangers({ moves: own })).toEqual([]);
    const called = [the("called contract", vault)];
    expect(strangers({ moves: [...own, moveOf(null, acme, vault, 1n)] })).toEqual(called);
    expect(strangers({ moves: [...own, moveOf(usdc, alice, acme, 1n)] })).toEqual(called);
    expect(strangers({ moves: own, scene: { rights: [right(alice, acme)] } })).toEqual(called);
    const control = { of: alice, what: "x", party: undefined, number: undefined };
    expect(strangers({ moves: own, scene: { controls: [control] } })).toEqual(called);
    expect(strangers({ moves: [moveOf(token, dora, acme, 5n)] })).toEqual(called);
    // What another principal lost is not the sender's.
    const others = {
      principals: [
        [alice, "sender"],
        [dora, "allowance"],
      ] as never,
    };
    expect(strangers({ ...others, moves: [...own, moveOf(usdc, dora, acme, 1n)] })).toEqual([]);
    // One of two moves comes from it.
    expect(strangers({ moves: [...own, moveOf(token, dora, erik, 5n)] })).toEqual([]);
  });
});
