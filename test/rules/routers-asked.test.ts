import { encodeAbiParameters, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import { alice, calldata, carol, caseOf, usdc, weth, zero } from "../support/case-of.ts";
import { shippedWorld } from "./world.ts";

const { ruleset, labels } = shippedWorld();
const universal = "0x6ff5693b99212da76ad316178a184ab56d299b43";
const router02 = "0x2626664c2603336e57b271c5c0b26f421741e481";
/** The router's words for whoever calls it, and for itself. */
const [sender, itself] = [1, 2].map((last) => `0x${"0".repeat(39)}${last}`) as [string, string];
const ether = "0xde0b6b3a7640000";
const wei = 10n ** 18n;
const amount = 100_000_000n;
const path = `0x${usdc.slice(2)}0001f4${weth.slice(2)}`;

/** What alice is asked for by a call that nobody simulated. */
function asked(to: string, input: string, value = "0x0"): string {
  const simulation = { method: "none", priced: false, differs: null, unavailable: [], refusal: null } as const;
  const file = caseOf({ transaction: { to, input, value } as never, receipt: { status: "0x0", logs: [] } });
  const { summary } = decide({ ...file, simulation: { ...simulation, unavailable: [] } }, ruleset, labels).explanation;
  return summary.replace("0xA1A1…a1a1 asks to ", "").replace(/ Nobody simulated it.*/, "");
}

const inputOf = (types: string, values: readonly unknown[]) =>
  encodeAbiParameters(parseAbiParameters(types) as never, values as never);
const program = (commands: string, inputs: readonly string[]) =>
  calldata("function execute(bytes,bytes[],uint256)", [commands, inputs, 9_999_999_999n]);
const exactIn = (recipient: string, least: bigint) =>
  inputOf("address, uint256, uint256, bytes, bool", [recipient, amount, least, path, true]);
const paid = (token: string, to: string, value: bigint) => inputOf("address, address, uint256", [token, to, value]);

describe("what a program of the Uniswap router is asked for", () => {
  const rest = " and call Uniswap Universal Router";
  const withEther = `${rest} with 1 ETH`;
  const sends = (what: string) => `send ${what} to 0xC4c4…c4C4 through the Uniswap router`;
  const [permit, batch] = ["", "[]"].map(
    (many) =>
      `((address token, uint160 amount, uint48 expiration, uint48 nonce)${many} details, address spender, uint256 end), bytes`,
  ) as [string, string];
  const details = { token: usdc, amount: 2n ** 160n - 1n, expiration: 9, nonce: 0 };
  const moved = { from: alice, to: carol, amount, token: usdc };

  it.each<[string, string, readonly string[], string, string?]>([
    ["ether sent on", "0x05", [paid(zero, carol, wei)], sends("1 ETH") + withEther, ether],
    ["ether swept", "0x04", [paid(zero, carol, 0n)], sends("ETH") + withEther, ether],
    [
      "ether wrapped for another",
      "0x0b",
      [inputOf("address, uint256", [carol, wei])],
      sends("1 WETH") + withEther,
      ether,
    ],
    ["most as a fee", "0x06", [paid(usdc, carol, 9_000n)], sends("a part of what is paid out") + rest],
    ["all as an exact fee", "0x07", [paid(usdc, carol, wei)], sends("a part of what is paid out") + rest],
    ["tokens taken", "0x02", [inputOf("address, address, uint160", [usdc, carol, amount])], sends("100 USDC") + rest],
    [
      ...(["tokens of a list taken", "0x0d"] as const),
      [inputOf("(address from, address to, uint160 amount, address token)[]", [[moved]])],
      sends("100 USDC") + rest,
    ],
    [
      "a swap for another",
      "0x00",
      [exactIn(carol, wei)],
      `swap 100 USDC for at least 1 WETH on Uniswap, paid out to 0xC4c4…c4C4,${rest}`,
    ],
    ["a swap for nothing in return", "0x00", [exactIn(sender, 0n)], `swap 100 USDC for WETH on Uniswap${rest}`],
    [
      ...(["a swap, then swept", "0x0004"] as const),
      [exactIn(itself, wei), paid(weth, carol, 0n)],
      `swap 100 USDC for at least 1 WETH on Uniswap, ${sends("WETH")}${rest}`,
    ],
    [
      ...(["a right of another", "0x0a"] as const),
      [inputOf(permit, [{ details, spender: carol, end: 9n }, "0x"])],
      `allow 0xC4c4…c4C4 to spend its USDC through Permit2${rest}`,
    ],
    [
      ...(["rights of another", "0x03"] as const),
      [inputOf(batch, [{ details: [details], spender: carol, end: 9n }, "0x"])],
      `allow 0xC4c4…c4C4 to spend its USDC through Permit2${rest}`,
    ],
  ])("tells %s", (_what, commands, inputs, expected, value) =>
    expect(asked(universal, program(commands, inputs), value)).toBe(`${expected}.`),
  );

  it.each<[string, string, readonly string[], string, string?]>([
    [
      "what comes to the account",
      "0x0004",
      [exactIn(itself, wei), paid(weth, alice, 0n)],
      `swap 100 USDC for at least 1 WETH on Uniswap${rest}`,
    ],
    [
      "its words for the caller",
      "0x0004",
      [exactIn(itself, wei), paid(weth, sender, 0n)],
      `swap 100 USDC for at least 1 WETH on Uniswap${rest}`,
    ],
    [
      "a usual fee",
      "0x0006",
      [exactIn(sender, wei), paid(weth, carol, 25n)],
      `swap 100 USDC for at least 1 WETH on Uniswap${rest}`,
    ],
    [
      "its own right",
      "0x0a",
      [inputOf(permit, [{ details, spender: universal, end: 9n }, "0x"])],
      "swap tokens on Uniswap",
    ],
  ])("tells nobody beside %s", (_what, commands, inputs, expected, value) =>
    expect(asked(universal, program(commands, inputs), value)).toBe(`${expected}.`),
  );
});

describe.each([
  ["Aerodrome", "0xc5b6786d7b64767d775877b0b6a319ad946b11b5"],
  ["Aerodrome (first)", "0x6cb442acf35158d5eda88fe602221b67b400be3e"],
  ["PancakeSwap", "0xd9c500dff816a1da21a48a732d3498bf09dc9aeb"],
  ["PancakeSwap (first)", "0xfe6508f0015c778bdcc1fb5465ba5ebe224c9912"],
])("a program of the universal router of %s", (_name, router) => {
  const details = { token: usdc, amount: 2n ** 160n - 1n, expiration: 9, nonce: 0 };
  const permit =
    "((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 end), bytes";
  const moved = (to: string) => [{ from: alice, to, amount, token: usdc }];
  const list = "(address from, address to, uint160 amount, address token)[]";
  const programs: [string, string, (to: string) => readonly string[], string?][] = [
    ["ether sent on", "0x05", (to) => [paid(zero, to, wei)], ether],
    ["tokens swept", "0x04", (to) => [paid(usdc, to, 0n)]],
    ["ether wrapped", "0x0b", (to) => [inputOf("address, uint256", [to, wei])], ether],
    ["ether unwrapped", "0x0c", (to) => [inputOf("address, uint256", [to, wei])]],
    ["most as a fee", "0x06", (to) => [paid(usdc, to, 9_000n)]],
    ["tokens taken", "0x02", (to) => [inputOf("address, address, uint160", [usdc, to, amount])]],
    ["tokens of a list taken", "0x0d", (to) => [inputOf(list, [moved(to)])]],
    ["a swap", "0x00", (to) => [exactIn(to, wei)]],
    ["a swap for nothing in return", "0x00", (to) => [exactIn(to, 0n)]],
    ["a swap, then swept", "0x0004", (to) => [exactIn(itself, wei), paid(weth, to, 0n)]],
  ];

  it.each(programs)("tells whom it pays: %s", (_what, commands, inputs, value) => {
    expect(asked(router, program(commands, inputs(carol)), value)).toContain("0xC4c4…c4C4");
    for (const own of [alice, sender])
      expect(asked(router, program(commands, inputs(own)), value)).not.toMatch(/0x0000|0xA1A1|paid out to/);
  });

  it("tells a right of somebody else than the router", () => {
    const allowing = (spender: string) => program("0x0a", [inputOf(permit, [{ details, spender, end: 9n }, "0x"])]);
    expect(asked(router, allowing(carol))).toContain("allow 0xC4c4…c4C4 to spend its USDC through Permit2");
    expect(asked(router, allowing(router))).not.toContain("allow ");
  });
});

describe("what calls of the Uniswap v3 router are asked for", () => {
  const calls = (...parts: string[]) => calldata("function multicall(bytes[])", [parts]);
  const swap = calldata("function exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", [
    [usdc, weth, 500, itself, amount, wei, 0n],
  ]);
  const unwrap = (to: string) => calldata("function unwrapWETH9(uint256,address)", [0n, to]);
  const pull = calldata("function pull(address,uint256)", [usdc, amount]);
  const sweep = calldata("function sweepToken(address,uint256,address)", [usdc, 0n, carol]);
  const bought = "swap 100 USDC for at least 1 WETH on Uniswap v3";

  it("tells whom they pay", () => {
    expect(asked(router02, calls(swap, unwrap(carol)))).toBe(
      `${bought} and send ETH to 0xC4c4…c4C4 through the Uniswap v3 router.`,
    );
    expect(asked(router02, calls(pull, sweep))).toBe(
      "send USDC to 0xC4c4…c4C4 through the Uniswap v3 router and hand 100 USDC to the Uniswap v3 router.",
    );
  });

  it("tells nobody beside the account", () => {
    expect(asked(router02, calls(swap, unwrap(alice)))).toBe(`${bought} and call Uniswap v3 SwapRouter02.`);
  });
});
