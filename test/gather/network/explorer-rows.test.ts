import { describe, expect, it } from "vitest";
import { readInternalTransfers } from "../../../src/gather/network/blockscout/internal-transfers.ts";
import { readPages } from "../../../src/gather/network/blockscout/pages.ts";
import type { JsonAnswer } from "../../../src/gather/network/http/json-client.ts";
import { readFoundObject, readImplementation } from "../../../src/gather/network/verified-contract.ts";
import { alice, bob, tokenAddress } from "../../support/rpc-server-chain.ts";

const row = (parts: object = {}) => ({
  ...{ index: 1, type: "call", call_type: "call", success: true, value: "9" },
  ...{ from: { hash: tokenAddress }, to: { hash: bob }, created_contract: null, ...parts },
});
const read = (...rows: object[]) => readInternalTransfers({ rows: rows as never, ended: true });
const moved = { type: "call", from: tokenAddress, to: bob, value: "9", success: true };

describe("the rows of internal transfers", () => {
  it.each<[string, object, unknown]>([
    ["a call", {}, [moved]],
    ["a call without a kind", { call_type: null }, [moved]],
    ["a call with an empty kind", { call_type: "" }, [moved]],
    ["a kind in upper case", { call_type: "CALL" }, [moved]],
    ["a kind of call", { call_type: "callcode" }, [{ ...moved, type: "callcode" }]],
    ["a value as a number", { value: 9 }, [moved]],
    ["a value in hex", { value: "0x9" }, [moved]],
    ["no value", { value: null }, []],
    ["no value, and no field of it", { value: undefined }, []],
    ["a value of nothing", { value: "0" }, []],
    ["a delegate call", { call_type: "delegatecall" }, []],
    ["a static call", { call_type: "staticcall" }, []],
    ["a delegate call by its type", { type: "delegatecall", call_type: undefined }, []],
    [
      "a creation",
      { type: "create", to: null, created_contract: { hash: bob }, value: "0" },
      [{ ...moved, type: "create", value: "0" }],
    ],
    ["a creation by its salt", { type: "create2", value: "0" }, [{ ...moved, type: "create2", value: "0" }]],
    ["a creation that is named a call", { type: "create", call_type: "call" }, [{ ...moved, type: "create" }]],
    ["nobody who gets it", { to: null }, [{ ...moved, to: null }]],
    ["a failure", { success: false }, [{ ...moved, success: false }]],
    ["no word of success", { success: undefined }, [{ ...moved, success: false }]],
    ["the transaction itself", { index: 0 }, []],
    ["no index", { index: undefined }, [moved]],
    ["nobody who sends", { from: null }, "failed"],
    ["a value that is none", { value: "x" }, "failed"],
    ["no type", { type: null, call_type: null }, "failed"],
  ])("%s", (_name, parts, expected) => {
    expect(read(row(parts))).toEqual(expected);
  });

  it("come in the order of the explorer", () => {
    const transfers = read(row({ value: "1" }), row({ value: "3" }), row({ value: "2" }));
    expect(Array.isArray(transfers) && transfers.map(({ value }) => value)).toEqual(["1", "3", "2"]);
  });

  it.each<[string, object[], string]>([
    ["its callee sends", [row({ success: false, to: { hash: alice } }), row({ from: { hash: alice } })], "unclear"],
    ["it did not fail, and its callee sends", [row({ to: { hash: alice } }), row({ from: { hash: alice } })], "read"],
    ["somebody else sends", [row({ success: false, to: { hash: alice } }), row()], "read"],
    [
      "its callee sends nothing",
      [row({ success: false, to: { hash: alice } }), row({ from: { hash: alice }, value: "0" })],
      "read",
    ],
    [
      "its callee fails, too",
      [row({ success: false, to: { hash: alice } }), row({ from: { hash: alice }, success: false })],
      "read",
    ],
    [
      "it moved nothing itself",
      [row({ success: false, to: { hash: alice }, value: "0" }), row({ from: { hash: alice } })],
      "unclear",
    ],
    [
      "it is the transaction itself",
      [row({ index: 0, success: false, to: { hash: alice } }), row({ from: { hash: alice } })],
      "read",
    ],
    [
      "its callee creates with value",
      [row({ success: false, to: { hash: alice } }), row({ type: "create", from: { hash: alice } })],
      "unclear",
    ],
  ])("after a call that failed: %s", (_name, rows, expected) => {
    const found = read(...rows);
    expect(typeof found === "string" ? found : "read").toBe(expected);
  });

  it("are empty if the answer is not a valid one", () => {
    expect(readInternalTransfers(404)).toBe("unlisted");
    expect([400, 403, 500, "failed" as const].map(readInternalTransfers)).toEqual(Array(4).fill("failed"));
    expect(readInternalTransfers({ rows: [row()], ended: false })).toBe("unclear");
    expect(read()).toEqual([]);
  });
});

describe("the pages of a list", () => {
  async function ask(pages: JsonAnswer[], options: Partial<Parameters<typeof readPages>[1]> = {}) {
    const asked: object[] = [];
    const get = async (query: object) => {
      asked.push(query);
      return pages[asked.length - 1] ?? "failed";
    };
    return { told: await readPages(get, { pagesMax: 3, ...options }), asked };
  }
  const page = (items: unknown, next: unknown = null): JsonAnswer => ({
    ...{ status: 200, body: { items, next_page_params: next } },
  });

  it("are read in order, from a given place, up to a given number", async () => {
    const next = { index: 7, text: "a", none: null, list: [1], yes: true };
    const pages = [page([{ a: 1 }], next), page([{ a: 2 }], { index: 8 }), page([{ a: 3 }], { index: 9 }), page([])];
    const { told, asked } = await ask(pages, { start: { block: "5" }, fixed: { filter: "from" } });
    expect(told).toEqual({ rows: [{ a: 1 }, { a: 2 }, { a: 3 }], ended: false });
    expect(asked).toHaveLength(3);
    expect(asked[0]).toEqual({ filter: "from", block: "5" });
    expect(asked[1]).toMatchObject({ filter: "from", index: "7", text: "a" });
    expect(asked[1]).not.toHaveProperty("block");
    expect(asked[1]).not.toHaveProperty("none");
    expect(asked[2]).toEqual({ filter: "from", index: "8" });
  });

  it("end where nothing comes after", async () => {
    for (const next of [null, undefined])
      expect((await ask([page([{}], next)])).told).toEqual({ rows: [{}], ended: true });
    expect((await ask([page([], { index: 1 }), page([{}])])).told).toEqual({ rows: [{}], ended: true });
  });

  it.each<[string, JsonAnswer, unknown]>([
    ["no answer", "failed", "failed"],
    ["a status", { status: 404, body: {} }, 404],
    ["no items", { status: 200, body: {} }, "failed"],
    ["items that are no list", page("none"), "failed"],
    ["an item that is none", page([{}, null]), "failed"],
    ["a list alone", { status: 200, body: [] }, "failed"],
  ])("are no list with %s, on any page", async (_name, answer, expected) => {
    expect((await ask([answer])).told).toBe(expected);
    expect((await ask([page([{}], { index: 1 }), answer])).told).toBe(expected);
  });
});

describe("what a server tells of a contract", () => {
  it("is the object of an answer with status 200", () => {
    expect(readFoundObject({ status: 200, body: { a: 1 } })).toEqual({ a: 1 });
    for (const none of ["failed", { status: 404, body: {} }, { status: 200, body: [] }] as const)
      expect(readFoundObject(none as JsonAnswer)).toBeUndefined();
  });

  it.each([
    [[{ address_hash: alice }, { address_hash: bob }], alice],
    [[{ address: alice }], alice],
    [[{ address: bob, address_hash: alice }], alice],
    [[{ address: "0x12" }], undefined],
    [[], undefined],
    [[alice], undefined],
    [undefined, undefined],
    [{ 0: { address: alice } }, undefined],
  ])("names the first implementation of %j: %s", (list, implementation) => {
    expect(readImplementation(list)).toBe(implementation);
  });
});
