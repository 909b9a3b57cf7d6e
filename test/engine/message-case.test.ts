import { describe, expect, it, vi } from "vitest";
import { type MessageInput, messageCase } from "../../src/engine/messages/message-case.ts";
import { planMessageReads, tokensOfMessage } from "../../src/engine/messages/message-plan.ts";
import type { Address } from "../../src/kernel/address.ts";
import { totalSupplySelector } from "../../src/kernel/token-standards.ts";
import { alice, bob, carol, metadata, token, usdc, vault, zero } from "../support/case-of.ts";
import { hashOf } from "../support/sample.ts";

vi.mock("../../src/engine/plan/plan.ts", () => ({
  membersReads: (members: unknown[], contract: unknown) => members.map((data) => ({ to: contract, data })),
}));

const ends = { from: alice, to: vault };
const input: MessageInput = { from: alice };

describe("the case of a message", () => {
  const plain = {
    ...{ version: 2, chain_id: 8453, tx_hash: hashOf(0), gathered_at: "1970-01-01T00:00:00Z" },
    transaction: { hash: hashOf(0), ...ends, value: "0x0", input: "0x" },
    receipt: { status: "0x1", logs: [] },
    block: { number: "0x0" },
    trace: { source: "none", reason: "it is not signed yet" },
    ...{ tokens: {}, reads: [], price: { status: "absent", source: "", eth_usd: null } },
  };

  it("holds nothing but the two ends where it carries no call", () => {
    expect(messageCase(input, ends)).toEqual(plain);
    expect(Object.keys(messageCase(input, ends).transaction)).toEqual(["hash", "from", "to", "value", "input"]);
    expect(messageCase(input, ends)).not.toHaveProperty("risk");
  });

  it.each<[string, { value?: bigint; data?: string }, object, string]>([
    ["value", { value: 1n }, { value: "0x1", input: "0x" }, "0x0"],
    ["data", { data: "0x12345678" }, { value: "0x0", input: "0x12345678" }, "0x0"],
    ["both", { value: 255n, data: "0x12" }, { value: "0xff", input: "0x12" }, "0x0"],
    ["neither", { value: 0n, data: "0x" }, { value: "0x0", input: "0x" }, "0x1"],
  ])("says that nothing of its call ran: %s", (_what, call, told, status) => {
    expect(messageCase(input, { ...ends, ...call })).toEqual({
      ...plain,
      transaction: { ...plain.transaction, ...told },
      receipt: { status, logs: [] },
    });
  });

  it("has what was looked up for it", () => {
    const tokens = { [usdc]: metadata("USDC", 6) };
    const reads = [{ status: "found", source: "x", to: vault, data: "0x12", result: "0x" }] as never;
    const risk = { verification: {}, history: {}, drainers: { asked: [], hits: [] } } as never;
    const file = messageCase({ ...input, tokens, reads, risk, block_number: 17, nonce: 0 }, ends);
    expect(file).toEqual({
      ...plain,
      ...{ tokens, reads, risk, block: { number: "0x11" } },
      transaction: { ...plain.transaction, nonce: "0x0" },
    });
    expect(messageCase({ ...input, nonce: 31 }, ends).transaction.nonce).toBe("0x1f");
  });
});

describe("the tokens that a message names", () => {
  const tokenCapture = (of: Address) => ["t", { kind: "token", get: () => of }];
  const told = (of: Address) => ({ rule: { captures: new Map([tokenCapture(of)] as never) }, context: {} });
  const message = (parts: object) =>
    tokensOfMessage({
      matched: { context: { flow: { gives: [], gets: [] } }, rule: { captures: new Map() } },
      carried: null,
      rights: [],
      ...parts,
    } as never);
  const flow = { gives: [{ token: bob }, { token: null }], gets: [{ token: carol }] };
  const native = `0x${"e".repeat(40)}`;

  it.each<[string, object, readonly Address[]]>([
    ["nothing", {}, []],
    ["nothing that a rule knows", { matched: undefined, rights: [{ token: usdc }] }, []],
    ["rights", { rights: [{ token: usdc }, { token }, { token: usdc }] }, [usdc, token, usdc]],
    ["what is given and asked for", { matched: { context: { flow }, rule: { captures: new Map() } } }, [bob, carol]],
    ["what its rule names", { matched: { ...told(token), context: { flow: { gives: [], gets: [] } } } }, [token]],
    ["what the call in it names", { carried: { actions: [told(vault), told(usdc)] } }, [vault, usdc]],
    [
      "all, in this order, and never ether",
      {
        matched: { ...told(token), context: { flow } },
        ...{ rights: [{ token: usdc }, { token: zero }, { token: native }], carried: { actions: [told(vault)] } },
      },
      [usdc, bob, carol, token, vault],
    ],
  ])("are those of %s", (_what, parts, tokens) => {
    expect(message(parts)).toEqual(tokens);
  });
});

describe("what is read for a message", () => {
  const addressOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}` as Address;
  const right = (of: Address, amount: bigint | null = 1n) => ({ token: of, amount });
  const supply = (to: Address) => ({ to, data: totalSupplySelector });
  const gate = (member: string) => ({ kind: "proof", member });
  const places = [
    { kind: "contract", gate: gate("first") },
    { kind: "none", gate: gate("never") },
    { kind: "contract", gate: { kind: "either", gates: [gate("second"), { kind: "any" }, gate("third")] } },
    { kind: "contract", gate: { kind: "any" } },
  ];
  const ruleset = {
    limitedTokens: [],
    messages: new Map([
      ["h", []],
      ["placed", places.map((place) => ({ place }))],
    ]),
  } as never;
  const labels = (known: readonly Address[] = []) =>
    ({ name: (address: Address) => (known.includes(address) ? { label: "x" } : undefined) }) as never;
  const read = (
    rights: readonly object[],
    contract: Address | null = null,
    known: readonly Address[] = [],
    data: object | null = { typeHash: "h" },
  ) =>
    planMessageReads(
      { rights, asked: { data, domain: { verifyingContract: contract } } } as never,
      ruleset,
      labels(known),
    );

  it("is the supply of each token once of which an amount is given", () => {
    expect(read([])).toEqual([]);
    expect(read([right(usdc), right(token, null), right(vault, 0n), right(usdc)])).toEqual([
      supply(usdc),
      supply(vault),
    ]);
    expect(read([right(usdc)], bob)).toEqual([supply(usdc)]);
    expect(read([right(usdc)], bob, [bob])).toEqual([supply(usdc)]);
  });

  it("is the supply of sixteen tokens at most", () => {
    const rights = Array.from({ length: 17 }, (_, i) => right(addressOf(i + 1)));
    expect(read(rights.slice(0, 16))).toHaveLength(16);
    expect(read(rights)).toEqual(rights.slice(0, 16).map((one) => supply(one.token)));
  });

  it("is what proves that the contract is a member, where its rules stand at one and nobody names it", () => {
    const placed = { typeHash: "placed" };
    const proofs = ["first", "second", "third"].map((data) => ({ to: bob, data }));
    expect(read([right(usdc)], bob, [], placed)).toEqual([supply(usdc), ...proofs]);
    expect(read([], bob, [bob], placed)).toEqual([]);
    expect(read([], null, [], placed)).toEqual([]);
    expect(read([], bob, [], null)).toEqual([]);
    expect(read([], bob, [], { typeHash: "another" })).toEqual([]);
  });
});
