import fc from "fast-check";
import { concatHex, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { readSteps } from "../../../src/engine/unwrap/steps.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { compileReader, decode } from "../../../src/rules/abi/decoder.ts";
import { alice, bob, calldata, caseOf, frame, token, traced } from "../../support/case-of.ts";
import { compileShipped, runStages } from "../../support/own-rules.ts";
import { context, get, tuple, uint } from "./read-values.ts";

describe("the steps of a program", () => {
  const meaning = (name: string, signature: string) => {
    const inputs = tuple(signature);
    const reader = compileReader(inputs);
    return { name, item: { hash: "0xaabbccdd", inputs, read: (data: string) => decode(reader, data, 10) } };
  };
  const [swap, pay] = [meaning("swap", "uint256 amount"), meaning("pay", "address to, bytes data")];
  const meanings = new Map<number, unknown[]>([
    [1, [pay, swap]],
    [2, [{ to: get(bob) }]],
    [3, [{ to: get("nobody") }, swap]],
  ]);
  const steps = (codes: Value | undefined, inputs: Value | undefined) =>
    readSteps(
      { kind: "steps", codes: get(codes), inputs: get(inputs), mask: 0x3f, mayFail: 0x80, meanings } as never,
      context,
    );
  const word = `0x${uint(5)}` as Hex;
  const swapped = { name: "swap", to: null, input: `0xaabbccdd${uint(5)}`, known: true, mayFail: false };

  it("are what their codes say, the first that fits", () => {
    expect(steps("0x01", [word])).toEqual([swapped]);
    expect(steps("0x81", [word])).toEqual([{ ...swapped, mayFail: true }]);
    expect(steps("0x41", [word])).toEqual([swapped]);
    expect(steps("0x02", ["0x12"])).toEqual([{ name: null, to: bob, input: "0x12", known: true, mayFail: false }]);
    expect(steps("0x03", [word])).toEqual([swapped]);
    const unknown = { to: null, input: "0x", known: false, mayFail: false };
    expect(steps("0x0107", ["0x12", word])).toEqual([
      { ...unknown, name: "0x01" },
      { ...unknown, name: "0x07" },
    ]);
    expect(steps("0x01", [`${word}00`])).toEqual([{ ...unknown, name: "0x01" }]);
    expect(steps("0xff", [word])).toEqual([{ ...unknown, name: "0x3f", mayFail: true }]);
  });

  it("are empty if codes and inputs do not fit together", () => {
    expect(steps("0x", [])).toEqual([]);
    for (const [codes, inputs] of [
      ["0x0101", [word]],
      ["0x", [word]],
      ["0x01", word],
      [1n, [word]],
      [undefined, []],
    ] as const)
      expect(steps(codes, inputs as Value)).toBeUndefined();
  });

  it("are one where the data is one step", () => {
    const one = (input: Value) => readSteps({ kind: "step", input: get(input), meaning: swap } as never, context);
    expect(one(word)).toEqual([swapped]);
    expect(one("0x12")).toEqual([{ name: "swap", to: null, input: "0x", known: false, mayFail: false }]);
    expect(one(5n)).toBeUndefined();
  });
});

const ruleset = compileShipped("uniswap-universal-router", "uniswap-v4", "erc20", "flow");
const router = "0x6ff5693b99212da76ad316178a184ab56d299b43";
const firstRouter = "0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad";
const positionsOfV3 = "0x03a520b32c04bf3beef7beb72e919cf822ed34f1";
const positionsOfV4 = "0x7c5f5a4bbd8fd63184577525326123b519429bdc";
const deadline = "function execute(bytes commands, bytes[] inputs, uint256 deadline)";
const plan = "function execute(bytes commands, bytes[] inputs)";

const encode = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types), values as never);
const sweep = encode("address token, address recipient, uint256 amountMin", [token, bob, 1n]);
const wrap = encode("address recipient, uint256 amount", [bob, 1n]);
const swapV2 = encode("address recipient, uint256 a, uint256 b, address[] path, bool user", [
  bob,
  1n,
  2n,
  [token],
  true,
]);
const takeAll = encode("address currency, uint256 minAmount", [token, 1n]);

type Parts = Parameters<typeof caseOf>[0];
const callsOf = (to: string, input: Hex, rest: Parts = {}): ActorCall[] =>
  runStages(caseOf({ ...rest, transaction: { to, input, value: "0x5", ...rest.transaction } }), ruleset).unwrapped
    .calls;
const program = (commands: Hex, inputs: readonly Hex[]) => calldata(deadline, [commands, inputs, 1n]);
/** Steps as `name state`; calls by their target. */
const told = (to: string, input: Hex, rest: Parts = {}) =>
  callsOf(to, input, rest)
    .slice(1)
    .map(({ step, to, state }) => `${step ?? to} ${state}`);

describe("the commands of the Universal Router", () => {
  it("are steps in the router's own frame, with its caller and value", () => {
    const [root, first] = callsOf(router, program("0x04", [sweep]));
    expect(root).toMatchObject({ step: null, state: "executed" });
    expect(first).toMatchObject({
      ...{ parent: 0, via: "uniswap-universal-router/plan", step: "sweep", from: alice, actor: alice, to: router },
      ...{ value: 5n, delegate: true, state: "executed" },
    });
  });

  it("may fail where their code allows it", () => {
    expect(told(router, program("0x840b", [sweep, wrap]))).toEqual(["sweep asserted", "wrapEth executed"]);
  });

  it("are opaque if the code is unknown or the input is not its encoding", () => {
    expect(told(router, program("0x1f04", [sweep, sweep]))).toEqual(["0x1f opaque", "sweep executed"]);
    expect(told(router, program("0x04", [concatHex([sweep, "0x00"])]))).toEqual(["0x04 opaque"]);
    expect(told(router, program("0x04", ["0x"]))).toEqual(["0x04 opaque"]);
    const { calls } = runStages(
      caseOf({ transaction: { to: router, input: program("0x1f", [sweep]) } }),
      ruleset,
    ).unwrapped;
    expect(calls[1]?.input).toBe("0x");
  });

  it("are not read when codes and inputs do not go together", () => {
    expect(callsOf(router, program("0x0404", [sweep])).map(({ state }) => state)).toEqual(["opaque"]);
  });

  it("hold programs of their own: sub-plans and the actions of v4", () => {
    const inner = encode("bytes commands, bytes[] inputs", ["0x04", [sweep]]);
    const v4 = encode("bytes actions, bytes[] params", ["0x0f", [takeAll]]);
    expect(told(router, program("0x2110", [inner, v4]))).toEqual([
      "executePlan executed",
      "v4Swap executed",
      "sweep executed",
      "takeAll executed",
    ]);
    expect(told(router, program("0xa1", [inner]))).toEqual(["executePlan asserted", "sweep asserted"]);
    expect(told(router, calldata(plan, ["0x04", [sweep]]))).toEqual(["sweep executed"]);
  });

  it("take the version of an encoding that fits exactly", () => {
    const types = "address recipient, uint256 a, uint256 b, address[] path, bool user, uint256[] prices";
    const bounded = encode(types, [bob, 1n, 2n, [token], true, [7n]]);
    expect(told(router, program("0x0808", [swapV2, bounded]))).toEqual([
      "v2SwapExactIn executed",
      "v2SwapExactInAbovePrices executed",
    ]);
    expect(told(firstRouter, program("0x08", [bounded]))).toEqual(["0x08 opaque"]);
  });

  it("may be calls of the position managers, found in a trace by the router as their caller", () => {
    const mint: Hex = "0x88316456aa";
    const input = program("0x1214", [mint, "0xaabbccddee"]);
    expect(told(router, input)).toEqual([`${positionsOfV3} asserted`, `${positionsOfV4} asserted`]);
    const inner = frame(router, positionsOfV3, { input: mint });
    const [, first, second] = callsOf(router, input, {
      trace: traced(frame(alice, router, { input, calls: [inner] })),
    });
    expect(first).toMatchObject({ step: null, from: router, actor: alice, input: mint, value: 0n, state: "executed" });
    expect(second?.state).toBe("failed");
  });

  it("are read although an application left a mark behind the calldata", () => {
    const input = program("0x04", [sweep]);
    expect(told(router, concatHex([input, "0x0c"]))).toEqual(["sweep executed"]);
    expect(callsOf(router, concatHex([input, numberToHex(7, { size: 33 })]))[0]?.state).toBe("opaque");
  });

  it("are nothing at a stranger, and not what somebody calls from outside", () => {
    expect(told(bob, program("0x04", [sweep]))).toEqual([]);
    const step = ruleset.unwrappers.get(
      callsOf(router, program("0x10", [encode("bytes a, bytes[] p", ["0x0f", [takeAll]])]))[1]?.input.slice(0, 10) ??
        "",
    );
    expect(step?.map(({ id }) => id)).toEqual(["uniswap-universal-router/v4-plan"]);
    const outside = concatHex([step?.[0]?.call.hash as Hex, encode("bytes a, bytes[] p", ["0x0f", [takeAll]])]);
    expect(told(router, outside)).toEqual([]);
  });

  it("all failed when the transaction did", () => {
    expect(told(router, program("0x041f", [sweep, wrap]), { receipt: { status: "0x0" } })).toEqual([
      "sweep failed",
      "0x1f failed",
    ]);
  });

  it("keep their names and order in every program (property)", () => {
    const known = fc.constantFrom<[string, Hex, Hex]>(
      ["sweep", "0x04", sweep],
      ["wrapEth", "0x0b", wrap],
      ["v2SwapExactIn", "0x08", swapV2],
      ["0x3e", "0x3e", sweep],
    );
    fc.assert(
      fc.property(fc.array(known, { maxLength: 12 }), (steps) => {
        const commands = concatHex(["0x", ...steps.map(([, code]) => code)]);
        const found = told(
          router,
          program(
            commands,
            steps.map(([, , input]) => input),
          ),
        );
        expect(found).toEqual(steps.map(([name]) => `${name} ${name.startsWith("0x") ? "opaque" : "executed"}`));
      }),
    );
  });
});

describe("the actions of the v4 position manager", () => {
  const modify = "function modifyLiquidities(bytes unlockData, uint256 deadline)";

  it("are read out of the unlock data", () => {
    const unlock = encode("bytes actions, bytes[] params", ["0x1213", [encode("address c", [token]), takeAll]]);
    expect(told(positionsOfV4, calldata(modify, [unlock, 1n]))).toEqual([
      "plan executed",
      "closeCurrency executed",
      "clearOrTake executed",
    ]);
  });

  it("are one opaque step when they cannot be", () => {
    expect(told(positionsOfV4, calldata(modify, ["0xabcd", 1n]))).toEqual(["plan opaque"]);
  });
});
