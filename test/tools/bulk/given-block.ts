import { toAddress } from "../../../src/kernel/address.ts";
import { alice, bob, tokenAddress } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { ok, type Script } from "../../support/scripted-pool.ts";

/** Where the reads of a block are answered together. */
export const multicall = toAddress(`0x${"ca".repeat(20)}`);

export const blockHash = (number: number) => hashOf(1_000 + number);

/** A block as a node gives it: two transactions with three logs. */
export function blockOf(number = 100) {
  const place = { blockHash: blockHash(number), blockNumber: `0x${number.toString(16)}` };
  const transaction = (i: number) => ({
    ...{ hash: hashOf(number * 10 + i), from: alice, to: bob, value: "0x0", input: "0x", nonce: "0x0" },
    ...{ type: "0x2", gas: "0x5208", gasPrice: "0x1", transactionIndex: `0x${i}`, chainId: "0x2105", ...place },
  });
  const log = (logIndex: string) => ({ address: tokenAddress, topics: [], data: "0x", logIndex, ...place });
  const receipt = (i: number, logs: object[]) => ({
    ...{ transactionHash: hashOf(number * 10 + i), transactionIndex: `0x${i}`, from: alice, to: bob, logs },
    ...{
      status: "0x1",
      gasUsed: "0x5",
      cumulativeGasUsed: i === 0 ? "0x5" : "0xa",
      effectiveGasPrice: "0x1",
      ...place,
    },
  });
  return {
    block: {
      ...{ number: place.blockNumber, hash: blockHash(number), parentHash: blockHash(number - 1) },
      ...{ timestamp: "0x6553f100", gasUsed: "0xa", transactions: [transaction(0), transaction(1)] },
    } as Record<string, unknown>,
    receipts: [receipt(0, [log("0x0"), log("0x1")]), receipt(1, [log("0x2")])] as Record<string, unknown>[],
    traces: [0, 1].map((i) => ({
      ...{ txHash: hashOf(number * 10 + i), result: { type: "CALL", from: alice, to: bob, value: "0x0", input: "0x" } },
    })) as Record<string, unknown>[],
  };
}
export type GivenBlock = ReturnType<typeof blockOf>;

/** A node that has this block alone. */
export function answersOf(given: GivenBlock): Script {
  return (calls) => [ok(given.block), ok(given.receipts), ok(given.traces)].slice(0, calls.length);
}
