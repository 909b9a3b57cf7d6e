import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import type { CaseFile, RpcFrame } from "../../src/model/case-file.ts";
import { buildCase } from "../../src/tools/lint/examples/given.ts";
import { callTree } from "../../src/tools/lint/mutation/stage.ts";
import { cases, diverted, named, namesOf, stranger, world } from "./diverted-cases.ts";
import { putInto } from "./envelopes.ts";
import { type GivenActs, readActs } from "./world.ts";

const routers = "0x0000000000000000000000000000000000000001";
const swapped = { recipient: routers, amountIn: "100000000", path: ["USDC", "0x0001f4", "WETH"] };
const besides: Record<"a swap" | "a small gift to him", GivenActs> = {
  "a swap": {
    calls: [
      {
        to: "uniswap-universal-router/router",
        call: {
          "uniswap-universal-router/execute": {
            ...{ commands: "0x00", inputs: [{ "uniswap-universal-router/v3SwapExactIn": swapped }] },
          },
        },
      },
    ],
    logs: [
      { transfer: { token: "USDC", from: "alice", to: "carol", amount: "100000000" } },
      { transfer: { token: "WETH", from: "carol", to: "alice", amount: "30000000000000000" } },
    ],
  },
  "a small gift to him": {
    calls: [{ to: "USDC", call: { "erc20/transfer": { to: stranger, value: "10000" } } }],
    logs: [{ transfer: { token: "USDC", from: "alice", to: stranger, amount: "10000" } }],
  },
};

/** Where it is right that he is not told. */
const accepted: Record<string, string> = {
  "mint-club-bond/bought-through": "its token is also the pool of the swap in this case",
  "market-forks/borrow": "a pool that nobody knows has another contract pay out",
  "towns/joined": "a membership costs nothing, and the space is known to nobody",
  "zkp2p/reserved": "nothing moved yet",
  "yo/redemption-asked-through": "nothing was paid out yet",
};

/** The act and a second act in one batch of an account with delegated code. The call tree shows what each of them did. */
function besideOf(plain: CaseFile, { plain: other, calls }: ReturnType<typeof readActs>): CaseFile {
  const { to, value, input, from } = plain.transaction;
  const act = { to: to as `0x${string}`, value: BigInt(value), data: input as `0x${string}` };
  const logs = [...plain.receipt.logs, ...other.receipt.logs];
  const both = putInto("delegated", { ...plain, receipt: { ...plain.receipt, logs } }, [act, ...calls]);
  const inside = [plain, other].map((file) => (callTree(file, new Map()).trace as { root: RpcFrame }).root);
  const root = { type: "CALL", from, to: from, value: "0x0", input: both.transaction.input ?? "0x", calls: inside };
  return { ...both, trace: { source: "debug_traceTransaction", root } };
}

describe.each(Object.entries(besides))("somebody else who gets what an act brings, beside %s", (_what, acts) => {
  const other = readActs(acts, world);
  it("is told", () => {
    const silent = cases.flatMap(({ rule, protocol, given, places }) => {
      const plain = buildCase(diverted(given, places), namesOf(protocol));
      const { summary } = decide(besideOf(plain, other), world.ruleset, world.labels).explanation;
      return summary.replace(`sent 0.01 USDC to ${named}`, "").includes(named) || rule in accepted
        ? []
        : [{ rule, summary }];
    });
    expect(silent).toEqual([]);
  });
});
