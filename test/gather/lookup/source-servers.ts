import { createProxyReader } from "../../../src/gather/lookup/risk/proxy.ts";
import { createPublishedSource, lookUpVerification } from "../../../src/gather/lookup/risk/verification.ts";
import { createBlockscout } from "../../../src/gather/network/blockscout/blockscout.ts";
import type { ReadState, StateRead } from "../../../src/gather/network/rpc/state-reader.ts";
import { createSourcify } from "../../../src/gather/network/sourcify/sourcify.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { VerifyQuestion } from "../../../src/model/lookup-plan.ts";
import { someone, word } from "../../engine/assess/scene.ts";
import { labels } from "../../property/world.ts";
import { startFactServer } from "../../support/fact-server.ts";

export const proxies = createProxyReader(labels.proxies);
export const contract = someone("contract");
export const plain = "0x6001600155";

export interface World {
  codes: Record<Address, Hex>;
  storage?: Record<string, Hex>;
  calls?: Record<string, Hex | null>;
  at?: "block" | "latest";
}

/** The state of a chain, and how often it was asked. */
function stateOf({ codes, storage = {}, calls = {}, at = "block" }: World) {
  const trips: StateRead[][] = [];
  const read = (one: StateRead): Hex | null => {
    if (one.kind === "code") return codes[one.address] ?? "0x";
    if (one.kind === "storage") return storage[`${one.address}${one.slot}`] ?? word(0n);
    return calls[`${one.to}${one.data.slice(0, 10)}`] ?? null;
  };
  const readState: ReadState = async (reads) => {
    trips.push([...reads]);
    return { at, results: reads.map(read) };
  };
  return { readState, trips };
}

/** Two servers of source code: Sourcify with what is published, and Blockscout with what it has seen. */
export async function sourceServers(published: readonly Address[], seen: readonly Address[] = published) {
  const sourcify = await startFactServer((url) => {
    const address = url.pathname.split("/").at(-1) as Address;
    const match = published.includes(address) ? "match" : null;
    return { status: match === null ? 404 : 200, body: { match, chainId: "8453", address } };
  });
  const blockscout = await startFactServer((url) => {
    const address = url.pathname.split("/").at(-1) as Address;
    return seen.includes(address) ? { body: { is_verified: true } } : { body: { deployed_bytecode: plain } };
  });
  const clock = { now: () => time.now };
  const time = { now: 1_000 };
  const ask = createPublishedSource(
    [
      createSourcify(sourcify.url, { chainId: 8453, clock }),
      createBlockscout(blockscout.url, { chainId: 8453, key: null, pageTimeoutMs: 1_000, clock }),
    ],
    clock,
  );
  const look = async (world: World, question: Partial<VerifyQuestion> = {}) => {
    const { readState, trips } = stateOf(world);
    const questions = [{ address: contract, selector: null, owner: null, ...question }];
    const signal = AbortSignal.timeout(2_000);
    const answers = await lookUpVerification(questions, ask, {
      block: 100,
      readState,
      proxies,
      signal,
      time: () => "then",
    });
    return { ...answers[contract], trips: trips.length };
  };
  return { sourcify, blockscout, look, time };
}
