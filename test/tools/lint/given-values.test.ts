import { decodeFunctionData, encodeAbiParameters, type Hex, parseAbi, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { build, refusalOf } from "./given-example.ts";

const bob = "0xb0b0000000000000000000000000000000000b0b";
const secondPool = "0x6cb442acf35158d5eda88fe602221b67b400be3e";
const word = (hex: string) => `0x${hex.replace("0x", "").padStart(64, "0")}`;

describe("arguments of an example", () => {
  const signature = "function pay(int8, uint8, bytes32, bytes20, bytes19, bool, string, uint8[2], bytes, address)";
  const names = ["small", "tiny", "word", "party", "short", "on", "note", "pair", "data", "who"];
  const zeros = [
    0,
    0,
    word(""),
    `0x${"00".repeat(20)}`,
    `0x${"00".repeat(19)}`,
    false,
    "",
    [0, 0],
    "0x",
    word("").slice(0, 42),
  ];
  const argumentsOf = (raw: unknown) => {
    const { input } = build({ call: { pay: raw } }).transaction;
    const { args } = decodeFunctionData({ abi: parseAbi([signature]), data: input as Hex });
    return args.map((value) => (typeof value === "string" ? value.toLowerCase() : value));
  };

  it.each<[string, unknown, unknown]>([
    ["small", "max", 127],
    ["small", 127, 127],
    ["small", -128, -128],
    ["tiny", "max", 255],
    ["tiny", "255", 255],
    ["tiny", "0x10", 16],
    ["word", "bob", word(bob)],
    ["word", word("12"), word("12")],
    ["party", "bob", bob],
    ["party", `0x${"12".repeat(20)}`, `0x${"12".repeat(20)}`],
    ["short", `0x${"12".repeat(19)}`, `0x${"12".repeat(19)}`],
    ["on", true, true],
    ["note", 5, "5"],
    ["note", null, "null"],
    ["pair", [1, 2], [1, 2]],
    ["data", ["bob", "0x01"], `${bob}01`],
    ["data", { run: { size: 1 } }, `0xa444f5e9${word("1").slice(2)}`],
    ["data", "0x1234", "0x1234"],
    ["who", "bob", bob],
  ])("%s: %j is %j, and what is left out is simple", (name, raw, value) => {
    const at = names.indexOf(name);
    expect(argumentsOf({ [name]: raw })).toEqual(zeros.with(at, value as string));
  });

  it("may be a list, or nothing", () => {
    const list = [1, 2, "bob", "bob", `0x${"12".repeat(19)}`, true, "x", [1, 2], "0x", "bob"];
    expect(argumentsOf(list)).toEqual(list.with(2, word(bob)).with(3, bob).with(9, bob));
    expect(argumentsOf(null)).toEqual(zeros);
  });

  const units = '; a whole number of the token\'s smallest unit was expected: 1 USDC is `"1000000"`';
  it.each<[unknown, (string | number)[], string, string | undefined, boolean]>([
    [{ small: 128 }, ["small"], "`128` does not fit int8", undefined, false],
    [{ small: -129 }, ["small"], "`-129` does not fit int8", undefined, false],
    [{ tiny: 256 }, ["tiny"], "`256` does not fit uint8", undefined, false],
    [{ tiny: -1 }, ["tiny"], "`-1` does not fit uint8", undefined, false],
    [{ tiny: "bob" }, ["tiny"], "`bob` does not fit uint8", undefined, false],
    [{ tiny: "1.5 USDC" }, ["tiny"], `\`1.5 USDC\` is no integer${units}`, undefined, false],
    [{ tiny: 2 ** 53 }, ["tiny"], `\`9007199254740992\` is no integer${units}`, undefined, false],
    [{ tiny: "x y z" }, ["tiny"], "`x y z` is no integer", undefined, false],
    [{ short: "bob" }, ["short"], "`bob` is no 19 bytes of hex", undefined, false],
    [{ word: "0x12" }, ["word"], "`0x12` is no 32 bytes of hex", undefined, false],
    [{ on: 1 }, ["on"], "`1` is no bool", undefined, false],
    [{ note: ["x"] }, ["note"], "a list is no text", undefined, false],
    [{ pair: [1] }, ["pair"], "a list was expected for uint8[2]", undefined, false],
    [{ pair: [1, 256] }, ["pair", 1], "`256` does not fit uint8", undefined, false],
    [{ pair: 5 }, ["pair"], "a list was expected for uint8[2]", undefined, false],
    [{ data: {} }, ["data"], "a call is one function with its arguments", undefined, false],
    [{ data: { run: {}, pay: {} } }, ["data"], "a call is one function with its arguments", undefined, false],
    [{ data: 5 }, ["data"], "`5` is no hex", undefined, false],
    [{ data: ["bob", "0x1"] }, ["data", 1], "`0x1` names no address", undefined, false],
    [{ data: { Paid: {} } }, ["data", "Paid"], "`Paid` is no function of this file", undefined, true],
    [{ data: { rum: {} } }, ["data", "rum"], "`rum` is no function of this file", "run", true],
    [{ who: 5 }, ["who"], "`5` names no address", undefined, false],
    [{ who: "alcie" }, ["who"], "`alcie` names no address", "alice", false],
    [{ who: null }, ["who"], "nothing names no address", undefined, false],
    [{ who: {} }, ["who"], "a mapping names no address", undefined, false],
    [{ whu: 1, size: 1 }, ["whu"], "`whu` is no argument", "who", true],
    [5, [], "`5` is one value, the arguments by name were expected", undefined, false],
    [[1], [], "10 values were expected, 1 are given", undefined, false],
  ])("%j cannot be read", (raw, at, message, suggestion, key) => {
    const refused = refusalOf({ call: { pay: raw } });
    expect(refused).toEqual({ at: ["call", "pay", ...at], message, suggestion, key });
  });
});

describe("logs of an example", () => {
  const logOf = (entry: unknown) => build({ logs: [entry] }).receipt.logs[0];

  it("hold the hash of an indexed text, or the hash itself", () => {
    const hello = "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8";
    const topics = (fields: Record<string, unknown>) => logOf({ Packed: { at: "pool", ...fields } })?.topics.slice(1);
    expect(topics({ body: "hello" })).toEqual([hello, word("")]);
    expect(topics({ body: "0x68656c6c6f", key: word("7") })).toEqual([hello, word("7")]);
    expect(topics({ body: hello })).toEqual([hello, word("")]);
    expect(logOf({ Paid: { at: "pool", topic: "hello" } })?.topics[2]).toBe(hello);
    expect(logOf({ Packed: { at: "pool", note: "a" } })?.data).toBe(
      encodeAbiParameters(parseAbiParameters("string"), ["a"]),
    );
  });

  it("have their arguments beside the emitter or below `args`, also one that is named so", () => {
    const paid = logOf({ Paid: { at: "pool.1", user: "bob", amount: 1 } });
    expect(logOf({ Paid: { at: "pool.1", args: { user: "bob", amount: 1 } } })).toEqual(paid);
    expect(paid?.address).toBe(secondPool);
    expect(paid?.topics[1]).toBe(word(bob));
    const held = encodeAbiParameters(parseAbiParameters("address, uint8"), [bob, 2]);
    expect(logOf({ Held: { at: "pool", args: "bob", count: 2 } })?.data).toBe(held);
  });

  it.each<[unknown, string[], string, string | undefined, boolean]>([
    [{ Paid: {}, Held: {} }, [], "a log is one event with its arguments", undefined, false],
    [{ pay: {} }, ["pay"], "`pay` is no event of this file", undefined, true],
    [{ Paid: null }, ["Paid"], "`Paid` lacks `at`: who emits it", undefined, true],
    [{ Paid: { at: "pool", args: { usr: 1 } } }, ["Paid", "args", "usr"], "`usr` is no argument", "user", true],
    [{ Paid: { at: "nobody" } }, ["Paid", "at"], "`nobody` names no address", undefined, false],
    [{ transfer: { amont: 1 } }, ["transfer", "amont"], "`amont` is no field of `transfer`", "amount", true],
    [{ transfer: null }, ["transfer", "from"], "nothing names no address", undefined, false],
    [{ transfer: { from: "bob" } }, ["transfer", "to"], "nothing names no address", undefined, false],
    [
      { transfer: { from: "bob", to: "bob", nft: "bob" } },
      ["transfer", "id"],
      "nothing is no integer",
      undefined,
      false,
    ],
  ])("%j cannot be read", (entry, at, message, suggestion, key) => {
    expect(refusalOf({ logs: [entry] })).toEqual({ at: ["logs", 0, ...at], message, suggestion, key });
  });
});

describe("fields of an example", () => {
  it.each<[Record<string, unknown>, (string | number)[], string, string | undefined, boolean]>([
    [{ valeu: 1 }, ["valeu"], "`valeu` is no field of `given`", "value", true],
    [{ logs: {} }, ["logs"], "`logs` is a list", undefined, false],
    [{ from: null }, ["from"], "nothing names no address", undefined, false],
    [{ data: null }, ["data"], "nothing is no hex", undefined, false],
    [{ value: null }, ["value"], "nothing is no integer", undefined, false],
    [{ call: [] }, ["call"], "a call is one function with its arguments", undefined, false],
    [{ native: [null] }, ["native", 0, "from"], "nothing names no address", undefined, false],
    [{ native: [{ from: "bob", to: "bob" }] }, ["native", 0, "amount"], "nothing is no integer", undefined, false],
    [{ status: "failed" }, ["status"], "`failed` is no status: success or reverted", undefined, false],
    [{ status: "toString" }, ["status"], "`toString` is no status: success or reverted", undefined, false],
    [{ type: "0x9" }, ["type"], "`0x9` is no envelope type", undefined, false],
    [{ tokens: { nobody: {} } }, ["tokens", "nobody"], "`nobody` names no address", undefined, false],
    [
      { authorizations: [{ signed: 1 }] },
      ["authorizations", 0, "signed"],
      "`1` stands here; true or false was expected",
      undefined,
      false,
    ],
  ])("%j cannot be read", (given, at, message, suggestion, key) => {
    expect(refusalOf(given)).toEqual({ at, message, suggestion, key });
  });
});
