import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { GapCount } from "../../../src/tools/cli/volume/gap-count.ts";

const [one, two, usdc] = [
  toAddress(`0x${"11".repeat(20)}`),
  toAddress(`0x${"22".repeat(20)}`),
  toAddress(`0x${"33".repeat(20)}`),
];
const labels = {
  name: (address: string) => (address === one ? { label: "One" } : undefined),
  token: (address: string) => (address === usdc || address === one ? { symbol: "USDC" } : undefined),
};
const call = (address: typeof one, selector: string) => ({ address, selector, topic0: null });
const event = (address: typeof one, topic0: string) => ({ address, selector: null, topic0: topic0 as Hex });
for (const signature of [
  "function transfer(address to, uint256 amount)",
  "function many_msg_babbage(bytes1 x)",
  "error Odd(bytes32 x)",
])
  parseSignature(signature);
const described = (count: GapCount) => count.describe({ labels } as never);

describe("what is unexplained", () => {
  it("is counted by place, most cases first, then by address and name", () => {
    const count = new GapCount();
    count.add("first", [call(two, "0xffffffff"), call(one, "0xffffffff"), call(one, "0xeeeeeeee")], 5n);
    count.add("second", [call(two, "0xffffffff"), event(usdc, `0x${"ab".repeat(32)}`)], 10n ** 18n);
    count.add("third", [call(two, "0xdddddddd"), call(usdc, "0xa9059cbb")], 0n);
    const place = { signature: null, topic0: null, cases: 1, example: "first", worth_eth: "0.000000000000000005" };
    expect(described(count)).toEqual([
      { ...place, ...call(two, "0xffffffff"), label: null, cases: 2, worth_eth: "1.000000000000000005" },
      { ...place, ...call(one, "0xeeeeeeee"), label: "One" },
      { ...place, ...call(one, "0xffffffff"), label: "One" },
      { ...place, ...call(two, "0xdddddddd"), label: null, example: "third", worth_eth: "0" },
      {
        ...{ ...place, ...call(usdc, "0xa9059cbb"), label: "USDC", example: "third", worth_eth: "0" },
        // Two functions that share a selector, of which rule files may know both.
        signature: "many_msg_babbage(bytes1) or transfer(address,uint256)",
      },
      { ...place, ...event(usdc, `0x${"ab".repeat(32)}`), label: "USDC", example: "second", worth_eth: "1" },
    ]);
  });

  it("has the signatures of functions and events, not of errors", () => {
    const hash = (signature: string) => parseSignature(signature).hash;
    const [odd, held] = [hash("error Odd(bytes32 x)"), hash("event HeldApart(address by, uint256 size)")];
    const count = new GapCount();
    count.add("first", [call(two, odd), event(two, held)], 0n);
    expect(described(count).map(({ signature }) => signature)).toEqual([null, "HeldApart(address,uint256)"]);
  });

  it("is nothing where nothing was added", () => {
    const count = new GapCount();
    count.add("first", [], 5n);
    expect(described(count)).toEqual([]);
  });
});
