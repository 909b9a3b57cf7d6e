import { describe, expect, it } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import { createProxyReader } from "../../src/lookup/risk/proxy.ts";
import { createPublishedSource, lookUpVerification, type PublishedAnswer } from "../../src/lookup/risk/verification.ts";

const addressOf = (digits: string) => `0x${digits.repeat(20)}` as Address;
const [first, second, third] = [addressOf("a1"), addressOf("b2"), addressOf("c3")];
const signal = new AbortController().signal;

/** Servers with these answers, one after the other, and a clock that can be set. */
function published(...says: (boolean | undefined)[]) {
  const clock = { time: 1_000, now: () => clock.time };
  const visits: string[] = [];
  const servers = says.map((answer, i) => ({
    name: `server ${i}`,
    isVerified: async (address: Address, given: AbortSignal) => {
      expect([address, given]).toEqual([first, signal]);
      visits.push(`server ${i}`);
      return answer;
    },
  }));
  return { clock, visits, ask: createPublishedSource(servers, clock) };
}

describe("published source", () => {
  it.each<[string, (boolean | undefined)[], PublishedAnswer, number]>([
    ["of no server", [], { status: "unavailable", source: "none" }, 0],
    ["of the first", [true, true], { status: "found", source: "server 0" }, 1],
    ["of the second", [false, true], { status: "found", source: "server 1" }, 2],
    ["of the second, the first being silent", [undefined, true], { status: "found", source: "server 1" }, 2],
    ["of none of them", [false, false], { status: "absent", source: "server 0, server 1" }, 2],
    ["of one that is silent", [false, undefined], { status: "unavailable", source: "server 1" }, 2],
    ["of silent ones", [undefined, undefined], { status: "unavailable", source: "server 0, server 1" }, 2],
  ])("%s", async (_name, says, answer, asked) => {
    const { ask, visits } = published(...says);
    expect(await ask(first, signal)).toEqual(answer);
    expect(visits).toEqual(["server 0", "server 1"].slice(0, asked));
  });

  it.each<[string, boolean | undefined, number]>([
    ["found for a day", true, 86_400_000],
    ["absent for ten minutes", false, 600_000],
  ])("is kept: %s", async (_name, answer, ms) => {
    const { ask, visits, clock } = published(answer);
    const told = await ask(first, signal);
    clock.time += ms - 1;
    expect(await ask(first, signal)).toBe(told);
    expect(visits).toHaveLength(1);
    clock.time += 2;
    expect(await ask(first, signal)).toEqual(told);
    expect(visits).toHaveLength(2);
  });

  it("is asked for anew where a server was silent", async () => {
    const { ask, visits } = published(undefined);
    await ask(first, signal);
    await ask(first, signal);
    expect(visits).toHaveLength(2);
  });
});

it("each address is judged by the code that runs there, and answers are dated", async () => {
  const codes: Record<Address, string> = { [first]: "0x60", [second]: "0x", [third]: `0x3636${first.slice(2)}` };
  const context = {
    ...{ block: 1, signal, time: () => "then" },
    proxies: createProxyReader([{ kind: "eip1167", code: "0x3636{target}" }]),
    readState: async (reads: readonly { address?: Address }[]) => {
      return { at: "block", results: reads.map(({ address }) => codes[address as Address]) };
    },
  } as never;
  const asked: Address[] = [];
  const ask = async (address: Address): Promise<PublishedAnswer> => {
    asked.push(address);
    return { status: "absent", source: "server" };
  };
  const questions = [first, second, third].map((address) => ({ address, selector: null, owner: null }));
  const base = { time: "then", owned: false, via: [] };
  expect(await lookUpVerification(questions, ask, context)).toEqual({
    [first]: { ...base, status: "absent", source: "server", code: "contract", logic: [first] },
    [second]: { ...base, status: "absent", source: "rpc", code: "none", logic: [second] },
    [third]: { ...base, status: "absent", source: "server", code: "contract", logic: [first], via: ["eip1167"] },
  });
  expect(asked).toEqual([first, first]);
});
