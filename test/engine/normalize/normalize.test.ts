import { describe, expect, it } from "vitest";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { checksum } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import {
  alice,
  bob,
  calldata,
  caseOf,
  frame,
  token,
  traced,
  transferLog,
  usdc,
  vault,
  weth,
  zero,
} from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";

const labels = shippedLabels();
const read = (parts: Parameters<typeof caseOf>[0]) => normalize(caseOf(parts), labels);

describe("normalize", () => {
  it.each([
    ["0x0", "legacy"],
    [undefined, "legacy"],
    ["0x00", "legacy"],
    ["0x1", "eip2930"],
    ["0x2", "eip1559"],
    ["0x02", "eip1559"],
    ["0x3", "eip4844"],
    ["0x4", "eip7702"],
    ["0x7e", "deposit"],
    ["0x7E", "deposit"],
    ["0x64", "other"],
    ["0xffffffffffffffffffff", "other"],
  ])("reads the envelope type %s as %s", (type, expected) => {
    expect(read({ transaction: { type } }).type).toBe(expected);
  });

  it("reads nothing into what a transaction of an unknown type lacks", () => {
    const receipt = { gasUsed: "0x5208", contractAddress: null };
    const tx = read({ transaction: { type: "0x79", to: null, input: "0x" }, receipt });
    expect(tx).toMatchObject({ type: "other", unknownType: "0x79", creates: false, ranCode: true });
    expect(tx.calls).toMatchObject([{ kind: "call", to: null }]);
    const made = read({ transaction: { type: "0x79", to: null }, receipt: { contractAddress: vault } });
    expect(made).toMatchObject({ creates: true, created: vault });
    expect(read({ transaction: { type: "0x2", to: null } })).toMatchObject({ creates: true, unknownType: undefined });
    expect(read({ transaction: { type: "soon" } })).toMatchObject({ type: "other", unknownType: "soon" });
  });

  it("knows without a trace that what opens a block moved no ether", () => {
    const transaction = {
      ...{ type: "0x7e", from: "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001" },
      ...{ to: "0x4200000000000000000000000000000000000030", input: `0x86bdf394${"0".repeat(64)}` },
    };
    expect(read({ transaction }).nativeComplete).toBe(true);
    expect(read({ transaction: { ...transaction, input: "0x12345678" } }).nativeComplete).toBe(false);
    expect(read({ transaction: { ...transaction, type: "0x2" } }).nativeComplete).toBe(false);
  });

  it("holds addresses, topics and data in lower case, no matter what the node writes", () => {
    const log = transferLog(checksum(token), alice, bob, 0xabcdn);
    const tx = read({
      transaction: { from: checksum(alice), to: checksum(usdc), input: "0xABCDEF12" },
      receipt: { logs: [{ ...log, topics: log.topics.map((topic) => topic.toUpperCase().replace("0X", "0x")) }] },
    });
    expect([tx.from, tx.to, tx.input]).toEqual([alice, usdc, "0xabcdef12"]);
    expect(tx.logs[0]).toMatchObject({ index: 0, address: token, call: -1 });
    expect(tx.movements).toMatchObject([{ token, from: alice, to: bob, amount: 0xabcdn, basis: "log" }]);
  });

  it("lists what an EIP-7702 envelope authorizes, the zero address for code that is cleared", () => {
    const { authorizations } = read({
      transaction: {
        type: "0x4",
        authorizationList: [
          { chainId: "0x2105", address: checksum(vault), nonce: "0x7" },
          { chainId: "0x0", address: zero, nonce: "" },
          { chainId: "0x1", address: checksum(vault), nonce: "0x7" },
        ],
      },
    });
    expect(authorizations).toEqual([
      { authority: null, delegate: vault },
      { authority: null, delegate: zero },
    ]);
  });

  it("counts ether that a deposit mints as coming from nowhere, and no fee", () => {
    const tx = read({ transaction: { type: "0x7e", mint: "0x64", value: "0x5", sourceHash: "0x" } });
    expect(tx).toMatchObject({ depositMint: 100n, feeWei: 0n });
    expect(tx.movements).toMatchObject([
      { standard: "native", from: zero, to: alice, amount: 100n, basis: "transaction" },
      { standard: "native", from: alice, to: vault, amount: 5n, basis: "transaction" },
    ]);
  });

  it("takes the created contract from the receipt, and value to it as moved", () => {
    const parts = { transaction: { to: null, value: "0x9" }, receipt: { contractAddress: checksum(vault), logs: [] } };
    expect(read(parts)).toMatchObject({ to: null, created: vault, calls: [{ kind: "create", to: vault }] });
    expect(read(parts).movements).toMatchObject([{ from: alice, to: vault, amount: 9n }]);
    const failed = read({ ...parts, receipt: { ...parts.receipt, status: "0x0" } });
    expect(failed).toMatchObject({ created: null, movements: [] });
  });

  it("moves nothing if the transaction reverted, no matter what it would have moved", () => {
    const tx = read({
      transaction: { value: "0x5" },
      receipt: { status: "0x0", logs: [transferLog(token, alice, bob, 5n)] },
      trace: traced(
        frame(alice, vault, {
          error: "execution reverted",
          output: "0x08c379a0",
          calls: [frame(vault, bob, { value: "0x5" })],
        }),
      ),
    });
    expect(tx).toMatchObject({ status: "reverted", movements: [], nativeComplete: true });
    expect(tx.calls.map(({ ok }) => ok)).toEqual([false, false]);
  });

  it("says what it cut", () => {
    const logs = Array.from({ length: limits.logsMax + 2 }, () => ({ address: token, topics: [], data: "0x" }));
    const tx = read({ receipt: { logs } });
    expect([tx.logs.length, tx.truncated]).toEqual([limits.logsMax, ["2 logs"]]);
  });

  it("has no time where the block has none", () => {
    // Base makes a block every two seconds.
    expect(read({ block: { number: "0x10" } })).toMatchObject({ blockNumber: 16, timestamp: 1_686_789_379 });
    expect(read({ block: { number: "0x25b8071" } }).timestamp).toBe(0x69415dc5);
    expect(read({ block: { number: "0x10", timestamp: "0x6553f100" } }).timestamp).toBe(1_700_000_000);
  });
});

describe("nativeComplete", () => {
  const moving = { gasUsed: "0xffff", logs: [transferLog(usdc, alice, bob, 1n)] };
  const called = { to: vault, input: "0x12345678" };

  it("holds where a call tree or an explorer's list shows every movement of ether", () => {
    const root = frame(alice, vault);
    expect(read({ transaction: called, trace: traced(root) }).nativeComplete).toBe(true);
    expect(read({ transaction: called, trace: { source: "trace_transaction", root } }).nativeComplete).toBe(true);
    expect(
      read({
        transaction: called,
        trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
      }).nativeComplete,
    ).toBe(true);
  });

  it("does not hold where code ran and nobody looked", () => {
    expect(read({ transaction: called, receipt: moving }).nativeComplete).toBe(false);
    expect(read({ transaction: called, receipt: moving })).toMatchObject({ traced: false, ranCode: true });
  });

  it("holds where the gas used shows that no code ran", () => {
    const tx = read({ transaction: { to: bob, value: "0x1" }, receipt: { gasUsed: "0x5208", logs: [] } });
    expect([tx.ranCode, tx.nativeComplete]).toEqual([false, true]);
  });

  it("holds for a call of a listed token that only the token itself logged", () => {
    const input = calldata("function transfer(address to, uint256 value)", [bob, 1n]);
    expect(read({ transaction: { to: usdc, input }, receipt: moving }).nativeComplete).toBe(true);
    const others = { ...moving, logs: [...moving.logs, transferLog(token, alice, bob, 1n)] };
    expect(read({ transaction: { to: usdc, input }, receipt: others }).nativeComplete).toBe(false);
    const stranger = { ...moving, logs: [transferLog(token, alice, bob, 1n)] };
    expect(read({ transaction: { to: token, input }, receipt: stranger }).nativeComplete).toBe(false);
    expect(
      read({ transaction: { to: weth, input, value: "0x1" }, receipt: { logs: [transferLog(weth, alice, bob, 1n)] } })
        .nativeComplete,
    ).toBe(true);
  });
});
