import { describe, expect, it } from "vitest";
import type { EventItem, FunctionItem } from "../../src/abi/signature.ts";
import { parseSignature } from "../../src/abi/signature-parser.ts";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import type { PathSource } from "../../src/ruleset/compile/paths/fixed-paths.ts";
import { compilePath, PathError, type PathScope } from "../../src/ruleset/compile/paths/path.ts";

const event = parseSignature(
  "event E(address indexed who, uint256 amount, (address token, uint256[] parts)[] orders, bytes32 word, bytes data, uint256 packed)",
) as EventItem;
const call = parseSignature("function f(string note)") as FunctionItem;
const pool = toAddress(`0x${"ab".repeat(20)}`);
const bob = toAddress(`0x${"b0".repeat(20)}`);
const scope: PathScope = {
  args: event.inputs,
  input: call.inputs,
  item: null,
  legs: ["paid"],
  anchor: "event",
  contracts: new Map([["pool", [pool]]]),
  count: { abi: new Map([["E", event]]), gate: { kind: "any" } },
};
const log = { index: 0, address: pool, topics: [event.hash, "0x"] as Hex[], data: "0x" as Hex, call: -1 };
const move = { token: null, tokenId: null, amount: 7n, from: pool, to: bob };
const source = {
  args: [
    bob,
    5n,
    [
      [pool, [1n, 2n]],
      [bob, []],
    ],
    `0x${"00".repeat(12)}${bob.slice(2)}`,
    `0x0102${pool.slice(2)}ff`,
    BigInt(bob),
  ],
  input: ["hi"],
  log,
  call: { from: bob, to: pool, value: 3n, input: "0x12" },
  move: null,
  legs: [move],
  target: pool,
  subject: bob,
  tx: {
    from: bob,
    to: pool,
    value: 1n,
    type: "eip1559",
    input: "0xaa",
    depositMint: 0n,
    created: null,
    ranCode: true,
    logs: [log],
    movements: [],
    authorizations: [{ authority: pool, delegate: pool }],
  },
  flow: {
    recipients: [pool],
    senders: [],
    gives: [{ token: pool, amount: 9n, tokenId: 4n }],
    gets: [{ token: null, amount: 2n, tokenId: null }],
    minted: false,
    burned: true,
    complete: true,
  },
  logsWith: () => [log, { ...log, topics: [event.hash] }],
  admits: () => true,
} as unknown as PathSource;

describe("a path reads", () => {
  it.each<[string, string, unknown]>([
    ["args.who", "address", bob],
    ["args.amount", "uint", 5n],
    ["args.orders.length", "uint", 2n],
    ["args.orders.0.token", "address", pool],
    ["args.orders.-1.token", "address", bob],
    ["args.orders.0.parts.1", "uint", 2n],
    ["args.orders.5.token", "address", undefined],
    ["args.orders.(args.orders.0.parts.0).token", "address", bob],
    ["args.orders.(args.orders.0.parts.1).token", "address", undefined],
    ["args.orders.(args.orders.5.parts.0).token", "address", undefined],
    ["args.orders.0.parts.(count.E)", "uint", 2n],
    ["args.orders.1.parts.0", "uint", undefined],
    ["args.word.address", "address", bob],
    ["args.word.length", "uint", 32n],
    ["args.data.addressAt.2", "address", pool],
    ["args.data.addressAt.-21", "address", pool],
    ["args.data.addressAt.9", "address", undefined],
    ["args.data.addressAt.-99", "address", undefined],
    ["args.data.uintAt.0.2", "uint", 0x0102n],
    ["args.data.uintAt.-1.1", "uint", 0xffn],
    ["args.packed.address", "address", bob],
    ["args.packed.addressAt.-20", "address", bob],
    ["args.packed.addressAt.12", "address", bob],
    ["args.packed.uintAt.-1.1", "uint", 0xb0n],
    ["input.note", "string", "hi"],
    ["emitter", "address", pool],
    ["call.value", "uint", 3n],
    ["contracts.pool", "address", pool],
    ["count.E", "uint", 1n],
    ["legs.paid.token", "address", "native"],
    ["legs.paid.amount", "uint", 7n],
    ["legs.paid.id", "uint", undefined],
    ["subject", "address", bob],
    ["native", "address", "native"],
    ["target", "address", pool],
    ["tx.creates", "bool", false],
    ["tx.created", "address", undefined],
    ["tx.logs", "uint", 1n],
    ["tx.authorizations", "uint", 1n],
    ["flow.given", "address", pool],
    ["flow.given_id", "uint", 4n],
    ["flow.gotten", "address", "native"],
    ["flow.gotten_amount", "uint", 2n],
    ["flow.gotten_id", "uint", undefined],
    ["flow.sender", "address", undefined],
    ["flow.recipients", "uint", 1n],
    ["flow.burned", "bool", true],
  ])("%s", (path, type, value) => {
    const compiled = compilePath(path, scope);
    expect({ type: compiled.type, value: compiled.get(source) }).toEqual({ type, value });
  });

  it("who delegated to what, of an authorization only", () => {
    const authorization = { authority: bob, delegate: pool };
    const read = (path: string, given: typeof authorization | { authority: null; delegate: typeof pool }) =>
      compilePath(path, { ...scope, anchor: "authorization" }).get({ ...source, authorization: given } as never);
    expect([read("authority", authorization), read("delegate", authorization)]).toEqual([bob, pool]);
    expect(read("authority", { authority: null, delegate: pool })).toBeUndefined();
    expect(() => compilePath("authority", scope)).toThrow("needs an authorization anchor");
  });

  it("no address out of a word that holds more than one", () => {
    const compiled = compilePath("args.word.address", scope);
    expect(compiled.get({ ...source, args: [null, null, null, `0x${"11".repeat(32)}`] } as never)).toBeUndefined();
    expect(
      compilePath("args.packed.address", scope).get({
        ...source,
        args: [null, null, null, null, null, 1n << 160n],
      } as never),
    ).toBeUndefined();
  });

  it("nothing where there is no log, call or decoded data", () => {
    const empty = { ...source, args: null, input: null, log: null, call: null, legs: [null] } as never;
    const paths = ["args", "input", "args.who", "args.orders.0.token", "args.data.length", "emitter", "call.to"];
    for (const path of [...paths, "legs.paid.from"]) expect(compilePath(path, scope).get(empty)).toBeUndefined();
  });
});

describe("a path of the transaction reads", () => {
  const flow = {
    ...{ recipients: [pool, bob], senders: [bob], minted: true, burned: false, wraps: true, complete: false },
    gives: [{ token: null, amount: 9n, tokenId: null }],
    gets: [{ token: pool, amount: 2n, tokenId: 8n }],
  };
  const asked: unknown[] = [];
  const rich = {
    ...(source as object),
    ...{ flow, targetFlow: () => ({ ...flow, gives: [], gets: flow.gives }), isBirth: (one: unknown) => one === log },
    mayCall: (...about: unknown[]) => asked.push(...about) > 0,
    logsBy: (address: unknown) => (address === null ? 0n : 4n),
    paysElsewhere: (one: unknown) => one === flow,
    move: { token: pool, tokenId: 6n, amount: 7n, from: pool, to: bob },
    domain: { verifyingContract: pool, name: "Name", version: "2" },
    ...{ caller: bob, to: pool, value: 12n },
  } as unknown as PathSource;
  const bare = {
    ...(rich as object),
    ...{ log: null, call: null, target: null, move: null, targetFlow: () => null },
    ...{ domain: { verifyingContract: null, name: null, version: null } },
    tx: { ...(source as { tx: object }).tx, to: null, created: pool, depositMint: 5n },
    flow: { ...flow, gives: [], gets: [], recipients: [], senders: [], complete: true, wraps: false },
    paysElsewhere: () => false,
  } as unknown as PathSource;

  it.each<[string, Partial<PathScope>, unknown, unknown]>([
    ["emitter.made", {}, true, false],
    ["emitter.called", {}, true, false],
    ["call.from", {}, bob, undefined],
    ["call.to", {}, pool, undefined],
    ["call.value", {}, 3n, undefined],
    ["call.data", {}, "0x12", undefined],
    ["call.logs", {}, 4n, 0n],
    ["tx.from", {}, bob, bob],
    ["tx.to", {}, pool, undefined],
    ["tx.value", {}, 1n, 1n],
    ["tx.type", {}, "eip1559", "eip1559"],
    ["tx.data", {}, "0xaa", "0xaa"],
    ["tx.mint", {}, 0n, 5n],
    ["tx.created", {}, undefined, pool],
    ["tx.creates", {}, false, true],
    ["tx.code_ran", {}, true, true],
    ["tx.movements", {}, 0n, 0n],
    ["target", {}, pool, undefined],
    ["flow.senders", {}, 1n, 0n],
    ["flow.recipient", {}, pool, undefined],
    ["flow.sender", {}, bob, undefined],
    ["flow.gives", {}, 1n, 0n],
    ["flow.gets", {}, 1n, 0n],
    ["flow.given", {}, "native", undefined],
    ["flow.given_amount", {}, 9n, undefined],
    ["flow.given_id", {}, undefined, undefined],
    ["flow.gotten", {}, pool, undefined],
    ["flow.gotten_id", {}, 8n, undefined],
    ["flow.minted", {}, true, true],
    ["flow.burned", {}, false, false],
    ["flow.wraps", {}, true, false],
    ["flow.complete", {}, true, true],
    ["target_flow.gives", {}, 0n, undefined],
    ["target_flow.gets", {}, 1n, undefined],
    ["target_flow.gotten", {}, "native", undefined],
    ["target_flow.gotten_amount", {}, 9n, undefined],
    ["move.token", { anchor: "transfer" }, pool, undefined],
    ["move.from", { anchor: "transfer" }, pool, undefined],
    ["move.to", { anchor: "transfer" }, bob, undefined],
    ["move.amount", { anchor: "transfer" }, 7n, undefined],
    ["move.id", { anchor: "transfer" }, 6n, undefined],
    ["domain.verifyingContract", { anchor: "sign" }, pool, undefined],
    ["domain.name", { anchor: "sign" }, "Name", undefined],
    ["domain.version", { anchor: "sign" }, "2", undefined],
    ["subject", { anchor: "sign" }, bob, bob],
    ["native", { anchor: "sign" }, "native", "native"],
    ["contracts.pool", { anchor: "sign" }, pool, pool],
    ["args.amount", { anchor: "sign" }, 5n, 5n],
    ["call.from", { anchor: "unwrap" }, bob, bob],
    ["call.to", { anchor: "unwrap" }, pool, pool],
    ["call.value", { anchor: "unwrap" }, 12n, 12n],
    ["tx.from", { anchor: "unwrap" }, bob, bob],
  ])("%s %j: %s, else %s", (path, parts, there, missing) => {
    const compiled = compilePath(path, { ...scope, ...parts });
    expect([compiled.get(rich), compiled.get(bare)]).toEqual([there, missing]);
    if (path === "emitter.called") expect(asked).toEqual([bob, pool]);
  });

  it("whether all of the flow is seen", () => {
    const complete = compilePath("flow.complete", scope);
    expect(complete.get({ ...(rich as object), paysElsewhere: () => false } as never)).toBe(false);
  });

  it("an element of an unwrapper", () => {
    const item = event.inputs.items[2] as typeof event.inputs;
    const one = compilePath("item.0.token", { ...scope, item });
    expect(one.get({ ...(source as object), item: [[pool, []]] } as never)).toBe(pool);
    expect(compilePath("item", { ...scope, item })).toMatchObject({ type: "array", layout: item });
  });

  it("no address in bytes that are no word", () => {
    const { inputs } = parseSignature("function g(bytes4 short)") as FunctionItem;
    expect(() => compilePath("args.short.address", { ...scope, args: inputs })).toThrow("has no parts");
  });

  it("the number of logs that the contract may make", () => {
    const counted = compilePath("count.E", scope);
    expect(counted.get({ ...(source as object), admits: () => false } as never)).toBe(0n);
    expect(compilePath("args.word", scope)).toMatchObject({ type: "bytes" });
  });
});

describe("a path is refused", () => {
  it.each<[string, Partial<PathScope>, RegExp, string | undefined]>([
    ["args.wo", {}, /no `wo`/, "who"],
    ["args.orders.x", {}, /indexes an array with `x`/, undefined],
    ["args.orders.(args.who)", {}, /indexes an array with `args.who`/, undefined],
    ["args.orders.(args.wo)", {}, /no `wo`/, "who"],
    ["args.orders.()", {}, /indexes an array with `\(\)`/, undefined],
    ["args.orders.(args.amount", {}, /indexes an array with `\(args`/, undefined],
    ["args.(args.amount)", {}, /no `\(args.amount\)`/, undefined],
    ["args.orders.0.tokn", {}, /no `tokn`/, "token"],
    ["args.amount.address.x", {}, /no parts/, undefined],
    ["args.who.length", {}, /no parts/, undefined],
    ["args.data.addressAt", {}, /no parts/, undefined],
    ["args.data.uintAt.1", {}, /no parts/, undefined],
    ["args.who", { args: null }, /needs a decoded anchor/, undefined],
    ["input.note", { input: null }, /call beside the event/, undefined],
    ["emitter", { anchor: "call" }, /needs an event anchor/, undefined],
    ["move.amount", {}, /needs a transfer anchor/, undefined],
    ["legs.paid.sum", {}, /no field of a movement/, undefined],
    ["legs.piad.amount", {}, /names no leg/, "paid"],
    ["contracts.pol", {}, /no contract role/, "pool"],
    ["contracts.pool.0", {}, /no contract role/, "pool"],
    ["count.F", {}, /names no event/, "E"],
    ["flow.gvien", {}, /names nothing/, "flow.given"],
    ["amount", {}, /names nothing/, "args.amount"],
    ["item.x", {}, /names nothing/, undefined],
    ["", {}, /names nothing/, undefined],
    ["call.data", { anchor: "unwrap" }, /cannot be read here/, undefined],
    ["constructor", {}, /names nothing/, undefined],
    ["legs.paid.constructor", {}, /no field of a movement/, undefined],
    ["args.__proto__", {}, /names nothing/, undefined],
    ["tx.from", { anchor: "sign" }, /^`tx.from` cannot be read here$/, undefined],
    ["legs.paid.amount", { anchor: "sign" }, /^`legs.paid.amount` cannot be read here$/, undefined],
    ["domain.name", {}, /^`domain.name` cannot be read here$/, undefined],
    ["call.logs", { anchor: "unwrap" }, /^`call.logs` cannot be read here$/, undefined],
    ["args.n", { args: null }, /^`args.n` needs a decoded anchor$/, undefined],
    ["input.note", { input: null }, /^`input.note` needs a decoded call beside the event$/, undefined],
    ["delegate", {}, /^`delegate` needs an authorization anchor$/, undefined],
    ["move.amount.x", { anchor: "transfer" }, /^`move.amount.x` names no field of a movement$/, "amount"],
    ["move.amont", { anchor: "transfer" }, /^`move.amont` names no field of a movement$/, "amount"],
    ["legs.paid", {}, /^`legs.paid` names no field of a movement$/, "id"],
    ["count.E", { count: undefined as never }, /^`count.E` names nothing$/, undefined],
    [
      "USDC",
      {},
      /^`USDC` names nothing; a token is told by a path, by `native` or by its address in quotes$/,
      undefined,
    ],
    ["item", {}, /^`item` names nothing$/, undefined],
    [
      "args.word.addressAt.x",
      {},
      /^`args.word.addressAt.x` asks `addressAt.x` of a value that has no parts$/,
      undefined,
    ],
    ["args.word.uintAt.1.x", {}, /asks `uintAt.1.x` of a value/, undefined],
    ["args.who.addressAt.1", {}, /asks `addressAt.1` of a value/, undefined],
    ["args.data.address", {}, /asks `address` of a value/, undefined],
    ["args.who.address", {}, /asks `address` of a value/, undefined],
    ["args.packed.length", {}, /asks `length` of a value/, undefined],
  ])("%s %j", (path, parts, message, suggestion) => {
    let error: unknown;
    try {
      compilePath(path, { ...scope, ...parts });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(PathError);
    expect((error as PathError).message).toMatch(message);
    expect((error as PathError).suggestion).toBe(suggestion);
  });
});
