import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { alice, bob, calldata, caseOf, usdc, weth } from "../../support/case-of.ts";
import { compileShipped, decideBy, runStages } from "../../support/own-rules.ts";

// Programs for the forks of the Universal Router: the steps that the tables make of them, and the summary if they reverted.

const ruleset = compileShipped("aerodrome", "pancakeswap", "pancakeswap-infinity", "weth", "erc20", "flow");
const aerodrome = "0xc5b6786d7b64767d775877b0b6a319ad946b11b5";
const otherAerodrome = "0xcaf22ce31298cf2bf1d152862f80216478ad7c67";
const firstAerodrome = "0x6cb442acf35158d5eda88fe602221b67b400be3e";
const pancake = "0xd9c500dff816a1da21a48a732d3498bf09dc9aeb";
const firstPancake = "0xfe6508f0015c778bdcc1fb5465ba5ebe224c9912";
const binPositions = "0x3d311d6283dd8ab90bb0031835c8e606349e2850";

function reverted(to: string, input: Hex) {
  const file = caseOf({ transaction: { to, input, value: "0x0" }, receipt: { status: "0x0" } });
  const [, ...steps] = runStages(file, ruleset).unwrapped.calls;
  return { steps: steps.map(({ step, state }) => step ?? state), told: decideBy(ruleset, file).explanation.summary };
}
/** Calldata from a list of words. Numbers and addresses are padded on the left, values that start with a dot on the right. */
const words = (selector: string, list: string) =>
  `0x${selector}${list
    .trim()
    .split(/\s+/)
    .map((word) => (word.startsWith(".") ? word.slice(1).padEnd(64, "0") : word.padStart(64, "0")))
    .join("")}` as Hex;

describe("programs that Base has seen", () => {
  it("0x7c4fd4cf…9d68: over Slipstream, the flag of Uniswap pools left out", () => {
    const input = words(
      "3593564c",
      `60 a0 6a0ec480 1 0 1 20 100 07a0c4c00323f6a594ab2d501ae013a3dae4a33e 1dcee09801f868000000 317a1d a0 1 2b
      .50d2280441372486beecdd328c1854743ebacb070800c8833589fcd6edb6e08f .4c7c32d4f71b54bda02913`,
    );
    const { steps, told } = reverted(otherAerodrome, input);
    expect(steps).toEqual(["v3SwapExactInPlain"]);
    expect(told).toContain("tried to swap 140,765 token 0x50D2…Cb07 for at least 3.24253 USDC on Aerodrome");
  });

  it("0x701d0147…7c9b: an exact amount bought, without a deadline", () => {
    const input = words(
      "24856bc3",
      `40 80 1 .01 1 20 120 4eff8063e497b5ef4214a614e5248a5e10c8f4f2 1117c7ac8f620bb62cc 0d0c2606 c0 1 0 2b
      .9126236476efba9ad8ab77855c60eb5bf37586eb080064833589fcd6edb6e08f .4c7c32d4f71b54bda02913`,
    );
    const { steps, told } = reverted(aerodrome, input);
    expect(steps).toEqual(["v3SwapExactOut"]);
    expect(told).toContain("tried to swap at most 218.9 USDC for 5,044.93 token 0x9126…86Eb on Aerodrome");
  });

  it("of a Safe's transaction at nonce 3: an application's mark behind the calldata", () => {
    const input = words(
      "3593564c",
      `60 a0 6a9e34e0 1 0 1 20 120 b69ab6c7e73f711d5f2d10fed8f0d09b1d028c28 f4240 4c055 c0 1 0 2b
      .833589fcd6edb6e08f4c7c32d4f71b54bda0291308000ab20000000000000000 .0000c2e324d24d7eecd1fb`,
    );
    const mark: Hex = `0x8779ce964b87d3f896438a7c62e262635f7239717a66386f700b00${"8021".repeat(8)}`;
    const { steps, told } = reverted(otherAerodrome, concatHex([input, mark]));
    expect(steps).toEqual(["v3SwapExactIn"]);
    expect(told).toContain("tried to swap 1 USDC for at least");
  });

  it("0x86a47a52…fd8d: over an Infinity pool", () => {
    const input = words(
      "3593564c",
      `60 a0 6a1459df 1 .10 1 20 3a0 40 80 3 .060b0e 3 60 200 280
      180 20 ${usdc.slice(2)} fde4c96c8593536e31f229ea8f37b2ada2699bb2 0 a0ffb9c1ce1fe56963b0321b32e7a0302114058b 22 10000
      0 5160144d 50d173ff 140 0 60 fde4c96c8593536e31f229ea8f37b2ada2699bb2 5160144d 1
      60 ${usdc.slice(2)} 5111af449018903bb05783618bfa64d7b131213a 0`,
    );
    const { steps, told } = reverted(pancake, input);
    expect(steps).toEqual(["infinitySwap", "swapExactInSingle", "settle", "take"]);
    expect(told).toMatch(/tried to swap 1,365\.\d+ USDT for at least 1,355\.\d+ USDC on PancakeSwap/);
  });
});

const encode = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types), values as never);
const program = (commands: Hex, inputs: readonly Hex[]) =>
  calldata("function execute(bytes commands, bytes[] inputs, uint256 deadline)", [commands, inputs, 1n]);
const swap = "address recipient, uint256 a, uint256 b, ";

describe("the forks of the Universal Router", () => {
  const routes = [{ from: usdc, to: weth, stable: false }];
  const packed = encode(`${swap}bytes path, bool user, bool uni`, [
    bob,
    1n,
    2n,
    concatHex([usdc, "0x00", weth]),
    true,
    false,
  ]);
  const routed = encode(`${swap}(address from, address to, bool stable)[] routes, bool user`, [
    bob,
    1n,
    2n,
    routes,
    true,
  ]);
  const listed = encode(`${swap}address[] path, bool user`, [bob, 1n, 2n, [usdc, weth], true]);
  const nested = encode("bytes commands, bytes[] inputs", ["0x08", [routed]]);

  it("write v2 paths each in its own way", () => {
    expect(reverted(aerodrome, program("0x0808", [packed, routed])).steps).toEqual([
      "v2SwapExactIn",
      "routesSwapExactIn",
    ]);
    expect(reverted(firstAerodrome, program("0x0808", [routed, packed])).steps).toEqual(["routesSwapExactIn", "0x08"]);
    expect(reverted(pancake, program("0x0808", [listed, packed])).steps).toEqual(["v2SwapExactIn", "0x08"]);
  });

  it("number their programs inside programs differently", () => {
    expect(reverted(firstAerodrome, program("0x21", [nested])).steps).toEqual(["executePlan", "routesSwapExactIn"]);
    expect(reverted(pancake, program("0xa1", [nested])).steps).toEqual(["executePlan", "0x08"]);
    expect(reverted(firstPancake, program("0x2021", [nested, nested])).steps).toEqual(["executePlan", "0x21", "0x08"]);
  });

  it("know six bits of a code: what Uniswap has beyond means something else here", () => {
    const approval = encode("address token, address recipient, uint160 amount", [usdc, alice, 1n]);
    expect(reverted(aerodrome, program("0x42", [approval])).steps).toEqual(["permit2TransferFrom"]);
    expect(reverted(aerodrome, program("0x14", [approval])).steps).toEqual(["0x14"]);
  });

  it("tell no swap of what is only a sentinel", () => {
    const all = encode(`${swap}bytes path, bool user, bool uni`, [
      ...[bob, 2n ** 255n, 2n, concatHex([usdc, "0x00", weth]), false, false],
    ]);
    expect(reverted(aerodrome, program("0x08", [all])).told).toContain("tried to swap tokens on Aerodrome");
  });
});

it("the actions of Infinity's bins are those of the bin manager alone", () => {
  const pair = encode("address a, address b", [usdc, weth]);
  const payload = encode("bytes actions, bytes[] params", ["0x0d02", [pair, pair]]);
  const input = calldata("function modifyLiquidities(bytes payload, uint256 deadline)", [payload, 1n]);
  expect(reverted(binPositions, input).steps).toEqual(["plan", "settlePair", "0x02"]);
});
