import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { findControlChanges } from "../../../src/tools/audit/facts/control.ts";
import { controlEvents, events } from "../../../src/tools/audit/facts/signatures.ts";
import { alice, bob, carol, logOf, token, vault } from "../../support/case-of.ts";
import { log, topicOf, word } from "./made-log.ts";
import { acme, dora, emittedOf, entry, known, ownerAdded, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

describe("changes of control", () => {
  const changes = (logs: RpcLog[], parts: SceneParts = {}) => {
    const scene = sceneOf({ ...parts, facts: { ...parts.facts, logs: emittedOf(logs) } });
    return findControlChanges(scene.facts, scene.principals, known);
  };
  const added = logOf(alice, "event AddedOwner(address owner)", { owner: bob });

  it("are what an account of a principal reports about itself", () => {
    expect(changes([added])).toEqual([ownerAdded]);
    expect(changes([{ ...added, address: dora }])).toEqual([]);
    expect(changes([log(alice, [events.wrapped])])).toEqual([]);
    expect(changes([log(alice, [])])).toEqual([]);
    const indexed = [{ ...added, topics: [...added.topics, topicOf(carol) as `0x${string}`] }];
    expect(changes(indexed)).toEqual([{ ...ownerAdded, party: carol }]);
    expect(changes([{ ...added, data: `0x${"f".repeat(64)}` }])).toEqual([{ ...ownerAdded, party: undefined }]);
    expect(changes([{ ...added, data: "0x" }])).toEqual([{ ...ownerAdded, party: undefined }]);
  });

  it("have the argument that each event shows", () => {
    const args = [toAddress(`0x${"1".repeat(40)}`), carol, dora, acme].map((one) => word(one));
    const found = [...controlEvents].map(([topic, { previousOwner }]) => {
      if (previousOwner) return null;
      const [one] = changes([{ address: alice, topics: [topic], data: `0x${args.join("")}` } as RpcLog]);
      return [one?.what, one?.party ?? one?.number];
    });
    const first = `0x${"1".repeat(40)}`;
    expect(found).toEqual([
      ["an owner was added", first],
      ["an owner was removed", first],
      ["the number of signatures was changed", BigInt(first)],
      ["a module was enabled", first],
      ["a module was disabled", first],
      ["the guard was changed", first],
      ["the module guard was changed", first],
      ["the fallback handler was changed", first],
      ["an owner was added", acme],
      ["an owner was removed", acme],
      ["a module was installed", carol],
      ["a module was removed", carol],
      ["the code was replaced", first],
      null,
    ]);
  });

  it("count for a contract if its owner was a principal that called it", () => {
    const signature = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
    const given = logOf(vault, signature, { previousOwner: alice, newOwner: bob });
    const called = stepsOf({ from: dora, to: vault }, { from: alice, to: vault });
    const own = [{ of: vault, what: "the ownership was given away", party: bob, number: undefined }];
    expect(changes([given], { steps: called })).toEqual(own);
    for (const step of [{ from: dora }, { to: token }, { type: "DELEGATECALL" }])
      expect(changes([given], { steps: stepsOf({ from: alice, to: vault, ...step }) })).toEqual([]);
    expect(changes([given], { steps: called, principals: [[dora, "sender"]] })).toEqual([]);
    expect(changes([{ ...given, topics: given.topics.slice(0, 2) }], { steps: called })).toEqual([]);
    const nobody = { ...given, topics: given.topics.with(1, `0x${"f".repeat(64)}`) };
    expect(changes([nobody], { steps: called })).toEqual([]);
  });

  it("do not count while the account is being created", () => {
    const before = log(entry, [events.beforeExecution]);
    const made = log(entry, [events.accountDeployed, topicOf(1), topicOf(alice)]);
    const make = stepsOf({ from: dora, to: alice, type: "CREATE2" });
    expect(changes([added, before])).toEqual([]);
    expect(changes([before, added])).toEqual([ownerAdded]);
    expect(changes([before, added], { steps: make })).toEqual([ownerAdded]);
    expect(changes([added], { steps: make })).toEqual([]);
    expect(changes([added], { steps: stepsOf({ from: dora, to: alice }) })).toEqual([ownerAdded]);
    expect(changes([added], { steps: stepsOf({ from: dora, to: bob, type: "CREATE" }) })).toEqual([ownerAdded]);
    expect(changes([added], { steps: [...make, ...stepsOf({})] })).toEqual([]);
    expect(changes([added, made])).toEqual([]);
    expect(changes([made, added, before])).toEqual([ownerAdded]);
    for (const other of [
      { ...made, address: vault },
      { ...made, topics: made.topics.with(2, topicOf(bob) as never) },
    ])
      expect(changes([added, other])).toEqual([ownerAdded]);
    expect(changes([added, { ...before, address: vault }])).toEqual([ownerAdded]);
    expect(changes([added, log(entry, [events.userOperation, topicOf(1), topicOf(alice)])])).toEqual([ownerAdded]);
  });
});
