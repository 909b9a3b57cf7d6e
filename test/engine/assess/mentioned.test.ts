import { describe, expect, it } from "vitest";
import { findMentioned } from "../../../src/engine/assess/examined/mentioned.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Log } from "../../../src/model/transaction.ts";
import { callOf, logAt } from "../../support/candidate.ts";
import { alice, bob, calldata, carol, usdc, vault } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";

const nobody = () => false;
const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;

function mentioned(calls: readonly ActorCall[], logs: readonly Log[] = [], skip: (one: Address) => boolean = nobody) {
  const labels = { name: (one: Address) => (one === usdc ? {} : undefined), token: () => undefined };
  const tx = moved([], { logs: logs as Log[] });
  return findMentioned(
    { tx, calls, principals: new Set([alice]), labels } as unknown as SubjectAct,
    new Set([carol]),
    skip,
  );
}

describe("addresses that calls and events name", () => {
  const input = calldata("function give(address to, uint256 amount, address token)", [bob, 5n, usdc]);

  it("are those of the principals' own calls, without known ones, numbers and others' calls", () => {
    expect(mentioned([callOf({ input })])).toEqual({ addresses: new Set([bob]), cut: false });
    expect(mentioned([callOf({ input, actor: carol })]).addresses).toEqual(new Set());
    expect(mentioned([callOf({ input })], [], (one) => one === bob).addresses).toEqual(new Set());
  });

  it("are also those of calldata inside of calldata", () => {
    const outer = calldata("function make(bytes setup)", [input]);
    expect(mentioned([callOf({ input: outer })]).addresses).toEqual(new Set([bob]));
  });

  it("are those of events that name a principal, or of a contract that it called or that its money reached", () => {
    const data = word(bob) as Log["data"];
    expect(mentioned([], [logAt(usdc, ["0x11", word(alice)], { data })]).addresses).toEqual(new Set([alice, bob]));
    expect(mentioned([callOf()], [logAt(vault, ["0x11"], { data })]).addresses).toEqual(new Set([bob]));
    expect(mentioned([], [logAt(carol, ["0x11"], { data })]).addresses).toEqual(new Set([bob]));
    expect(mentioned([], [logAt(vault, ["0x11"], { data })]).addresses).toEqual(new Set());
  });

  it("are cut at a limit", () => {
    const made = (i: number) => `0x${(i + 1).toString(16).padStart(40, "d")}`;
    const many = Array.from({ length: 100 }, (_, i) => logAt(vault, ["0x11", word(made(i))]));
    const { addresses, cut } = mentioned([callOf()], many);
    expect([addresses.size, cut]).toEqual([64, true]);
  });
});
