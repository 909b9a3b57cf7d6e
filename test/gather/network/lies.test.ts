import { toHex } from "viem";
import { describe, expect, it } from "vitest";
import { startRpcServer } from "../../support/rpc-server.ts";
import { alice, bob, chainFixture, chainMethods, pad } from "../../support/rpc-server-chain.ts";
import { handClock, openGatherer } from "../../support/rpc-server-gatherer.ts";
import { hashOf } from "../../support/sample.ts";
import { blockTime, bloomOf, type Json, type RecordKind, type SignedRecord, signedRecord } from "./signed-record.ts";

/** Changes what a node tells. */
type Lie = (told: SignedRecord) => void;

/** A node of this machine that tells this about the transaction, and what every node tells about the rest. */
async function startNode(told: SignedRecord, more: Record<string, () => unknown> = {}) {
  const known = (answer: unknown) => (hash: string) => (hash === told.hash ? answer : null);
  return startRpcServer({
    methods: {
      ...chainMethods(chainFixture()),
      ...{ eth_getTransactionByHash: known(told.transaction), eth_getTransactionReceipt: known(told.receipt) },
      ...{ eth_getBlockByNumber: () => told.block, debug_traceTransaction: known(told.trace) },
      ...more,
    },
  });
}

async function lyingNode(kind: RecordKind, lie: Lie) {
  const told = structuredClone(await signedRecord(kind));
  lie(told);
  return startNode(told);
}

const troublesOf = ({ health }: ReturnType<typeof openGatherer>) =>
  health().map(({ troubles }) => troubles.map(({ capability, reason }) => `${capability} ${reason}`));

/** The transaction and its receipt together: a liar who takes care that they agree. */
const both = (told: SignedRecord, fields: Json) => {
  Object.assign(told.transaction, fields);
  Object.assign(told.receipt, fields);
};
const places = (told: SignedRecord, fields: Json) => {
  both(told, fields);
  for (const log of told.receipt.logs) Object.assign(log, fields);
};
const of =
  (part: "transaction" | "receipt", fields: Json): Lie =>
  (told) => {
    Object.assign(told[part], fields);
  };
const ofLog =
  (index: number, fields: Json): Lie =>
  (told) => {
    Object.assign(told.receipt.logs[index], fields);
  };
const otherHash = hashOf(77);
const farNumber = toHex(2n ** 200n);

const lies: [name: string, lie: Lie, kind?: RecordKind][] = [
  ["calldata changed under its hash", of("transaction", { input: "0xa9059cbb" })],
  ["a value changed under its hash", of("transaction", { value: "0x8" })],
  ["another receiver", (told) => both(told, { to: bob })],
  ["another nonce", of("transaction", { nonce: "0xa" })],
  ["another limit of gas", of("transaction", { gas: "0x13881" })],
  ["another highest price", of("transaction", { maxFeePerGas: "0xa" })],
  ["another signature", of("transaction", { r: pad("0x5") })],
  [
    "another parity of the signature",
    ({ transaction }) => (transaction.yParity = transaction.yParity === "0x0" ? "0x1" : "0x0"),
  ],
  ["an access list with one more key", ({ transaction }) => transaction.accessList[0].storageKeys.push(pad("0x3"))],
  ["an access list without its entry", of("transaction", { accessList: [] }), "eip2930"],
  ["calldata of an old transaction", of("transaction", { input: "0x" }), "legacy"],
  ["a price of an old transaction", of("transaction", { gasPrice: "0x6" }), "legacy"],
  ["a value of a transaction without a chain", of("transaction", { value: "0x0" }), "unprotected"],
  ["code of a creation", of("transaction", { input: "0x60806040" }), "creation"],
  ["a delegate of an authorization", ({ transaction }) => (transaction.authorizationList[0].address = bob), "eip7702"],
  ["an authorization fewer", ({ transaction }) => transaction.authorizationList.pop(), "eip7702"],
  ["ether that a deposit mints", of("transaction", { mint: "0x8" }), "deposit"],
  ["the sender of a deposit", (told) => both(told, { from: bob }), "deposit"],
  ["somebody else as sender", (told) => both(told, { from: alice })],
  ["somebody else as sender of an old transaction", (told) => both(told, { from: alice }), "legacy"],
  ["somebody else as sender, without a chain", (told) => both(told, { from: alice }), "unprotected"],
  ["another transaction", of("transaction", { hash: otherHash })],
  ["a transaction of another chain", of("transaction", { chainId: "0x1" })],
  ["a receipt without its hash", of("receipt", { transactionHash: undefined })],
  ["a receipt with no hash", of("receipt", { transactionHash: null })],
  ["a receipt of another hash", of("receipt", { transactionHash: otherHash })],
  ["a receipt of another sender", of("receipt", { from: bob })],
  ["a receipt of another receiver", of("receipt", { to: bob })],
  ["a receipt of a creation", of("receipt", { to: null })],
  ["a receipt of another type", of("receipt", { type: "0x1" })],
  ["a receipt of another block", of("receipt", { blockHash: otherHash })],
  ["a receipt of another number", of("receipt", { blockNumber: "0x65" })],
  ["a receipt of another place in the block", of("receipt", { transactionIndex: "0x4" })],
  ["logs of a transaction that failed", of("receipt", { status: "0x0" })],
  ["an outcome that there is not", of("receipt", { status: "0x2" })],
  ["more gas than it had", of("receipt", { gasUsed: "0x13881" })],
  ["more gas than the whole block until then", of("receipt", { cumulativeGasUsed: "0xc34f" })],
  ["a higher price than it offered", of("receipt", { effectiveGasPrice: "0xa" })],
  ["a contract that a call created", of("receipt", { contractAddress: bob })],
  ["a log of another transaction", ofLog(1, { transactionHash: otherHash })],
  ["a log of another block", ofLog(1, { blockHash: otherHash })],
  ["a log of another number", ofLog(1, { blockNumber: "0x65" })],
  ["a log of another place", ofLog(2, { transactionIndex: "0x4" })],
  ["a log of another time", ofLog(2, { blockTimestamp: "0x6553f101" })],
  ["a log that was removed", ofLog(0, { removed: true })],
  ["a log too few", ({ receipt }) => receipt.logs.splice(1, 1)],
  ["logs in another order", ({ receipt }) => receipt.logs.reverse()],
  ["a log twice", ({ receipt }) => receipt.logs.push(receipt.logs[2])],
  ["a log of another contract", ofLog(0, { address: bob })],
  ["a log about somebody else", ({ receipt }) => (receipt.logs[0].topics[1] = pad(alice))],
  ["no logs at all", of("receipt", { logs: [] })],
  ["a block number of 2^200", (told) => places(told, { blockNumber: farNumber })],
  ["a block number beyond the newest one", (told) => places(told, { blockNumber: "0xc9" })],
];

/** A minute after the block: so young an answer is not kept for longer than some seconds. */
function youngClock() {
  return Object.assign(handClock(), { time: (Number(blockTime) + 60) * 1_000 });
}

const numberMax = () => 200;
const knownTrouble = ["records inconsistent"];

describe.each(lies)("an endpoint that tells %s", (_name, lie, kind = "eip1559") => {
  it("is not believed, and another one is", async () => {
    const told = await signedRecord(kind);
    const [bad, good] = [await lyingNode(kind, lie), await startNode(told)];
    const gatherer = openGatherer([bad.url, good.url], { numberMax });
    expect(await gatherer.gather(told.hash)).toEqual(await openGatherer([good.url]).gather(told.hash));
    expect(troublesOf(gatherer)).toEqual([knownTrouble, []]);
  });

  it("alone gives an error and no answer", async () => {
    const { hash } = await signedRecord(kind);
    const bad = await lyingNode(kind, lie);
    const gatherer = openGatherer([bad.url], { numberMax });
    await expect(gatherer.gather(hash)).rejects.toMatchObject({
      ...{ code: "upstream_unavailable", retryAfterSeconds: 5 },
      message: `No chain source answered: ${new URL(bad.url).host}: inconsistent.`,
    });
    expect(troublesOf(gatherer)).toEqual([knownTrouble]);
  });
});

/** Lies about a part. Alone, the part is missing. */
const partLies: [name: string, lie: Lie, missing: "trace" | "time"][] = [
  ["a call tree of another receiver", ({ trace }) => (trace.to = bob), "trace"],
  ["a call tree of another value", ({ trace }) => (trace.value = "0x8"), "trace"],
  ["a call tree of other calldata", ({ trace }) => (trace.input = "0x"), "trace"],
  ["a call tree that fails, of what succeeded", ({ trace }) => (trace.error = "execution reverted"), "trace"],
  ["another block of this number", ({ block }) => (block.hash = otherHash), "time"],
  ["a block of another number", ({ block }) => (block.number = "0x65"), "time"],
  ["a block of another time", ({ block }) => (block.timestamp = "0x6553f101"), "time"],
  ["a block without the transaction", ({ block }) => (block.transactions = [otherHash]), "time"],
];

describe.each(partLies)("an endpoint that tells %s", (_name, lie, missing) => {
  it("is not believed in that, and another one is", async () => {
    const told = await signedRecord();
    const [bad, good] = [await lyingNode("eip1559", lie), await startNode(told)];
    const gatherer = openGatherer([bad.url, good.url]);
    const { trace, block } = await gatherer.gather(told.hash);
    expect([trace.source, block.timestamp]).toEqual([
      missing === "trace" ? expect.stringMatching(/^(?:none|debug_traceTransaction)$/) : "debug_traceTransaction",
      blockTime,
    ]);
    expect(troublesOf(gatherer)[0]).toContain("records inconsistent");
  });

  it("alone leaves that part open", async () => {
    const { hash } = await signedRecord();
    const gatherer = openGatherer([(await lyingNode("eip1559", lie)).url]);
    const { trace, block } = await gatherer.gather(hash);
    expect([trace.source, block.timestamp]).toEqual(
      missing === "trace" ? ["none", blockTime] : ["debug_traceTransaction", undefined],
    );
    expect(troublesOf(gatherer)[0]).toContain("records inconsistent");
  });
});

/** Lies that nothing in the record contradicts. Only somebody else can. */
const wholeLies: [name: string, lie: Lie][] = [
  ["another amount in a log", ofLog(0, { data: pad("0x9") })],
  [
    "a block that is not the transaction's",
    (told) => {
      places(told, { blockHash: otherHash });
      told.block.hash = otherHash;
    },
  ],
  [
    "that it failed",
    ({ receipt, trace }) => {
      Object.assign(receipt, { status: "0x0", logs: [], logsBloom: bloomOf([]) });
      trace.error = "execution reverted";
    },
  ],
  ["less gas", of("receipt", { gasUsed: "0xc34f" })],
  [
    "calldata changed, and no signature",
    ({ transaction, trace }) => {
      Object.assign(transaction, { input: "0xa9059cbb", r: undefined });
      trace.input = "0xa9059cbb";
    },
  ],
];

describe.each(wholeLies)("where calls are charged, an endpoint that tells %s", (_name, lie) => {
  const hasWitness = true;

  it("is contradicted by the second one, and nothing is answered", async () => {
    const told = await signedRecord();
    const [bad, good] = [await lyingNode("eip1559", lie), await startNode(told)];
    for (const urls of [
      [bad.url, good.url],
      [good.url, bad.url],
    ])
      await expect(openGatherer(urls, { hasWitness }).gather(told.hash)).rejects.toMatchObject({
        ...{ code: "upstream_unavailable", retryAfterSeconds: 1 },
        message: "Two chain sources tell different things about this transaction.",
      });
  });

  it("is outvoted by two others", async () => {
    const told = await signedRecord();
    const [bad, good, other] = [await lyingNode("eip1559", lie), await startNode(told), await startNode(told)];
    const first = openGatherer([bad.url, good.url, other.url], { hasWitness });
    await expect(first.gather(told.hash)).rejects.toMatchObject({ code: "upstream_unavailable" });
    expect(troublesOf(first)).toEqual([knownTrouble, [], []]);
    expect((await first.gather(told.hash)).receipt.status).toBe("0x1");
    const second = openGatherer([good.url, bad.url, other.url], { hasWitness });
    expect((await second.gather(told.hash)).transaction.input).toBe(told.transaction.input);
    expect(troublesOf(second)).toEqual([[], knownTrouble, []]);
  });
});

describe("a second endpoint where calls are charged", () => {
  it("that has nothing, fails or contradicts itself is no witness", async () => {
    const told = await signedRecord();
    const good = await startNode(told);
    const empty = await startRpcServer({ methods: { eth_chainId: () => "0x2105" } });
    const behind = await startNode({ ...told, hash: hashOf(5) });
    const confused = await lyingNode("eip1559", of("receipt", { status: "0x0" }));
    for (const other of [empty, behind, confused]) {
      const gatherer = openGatherer([good.url, other.url], { hasWitness: true });
      expect((await gatherer.gather(told.hash)).tx_hash).toBe(told.hash);
    }
  });
});

describe("an answer that holds", () => {
  it.each<[string, RecordKind]>([
    ["an old transaction", "legacy"],
    ["an old transaction without a chain", "unprotected"],
    ["a transaction with an access list", "eip2930"],
    ["a transaction", "eip1559"],
    ["a transaction with authorizations", "eip7702"],
    ["a deposit", "deposit"],
    ["a creation", "creation"],
  ])("may be of %s", async (_name, kind) => {
    const told = await signedRecord(kind);
    const gatherer = openGatherer([(await startNode(told)).url], { numberMax, hasWitness: true });
    expect((await gatherer.gather(told.hash)).transaction.input).toBe(told.transaction.input);
    expect(troublesOf(gatherer)).toEqual([[]]);
  });

  it.each<[string, Lie]>([
    ["no signature", of("transaction", { r: undefined, nonce: "0xa" })],
    ["no type", of("transaction", { type: undefined, nonce: "0xa" })],
    ["a type that nobody knows yet", (told) => both(told, { type: "0x6", nonce: "0xa" })],
    [
      "no place",
      ({ transaction, receipt }) => {
        for (const name of ["transactionIndex", "type", "logsBloom"]) delete receipt[name];
        for (const log of receipt.logs)
          for (const name of ["blockHash", "transactionHash", "logIndex"]) delete log[name];
        delete transaction.transactionIndex;
      },
    ],
    ["an empty bloom filter", of("receipt", { logsBloom: bloomOf([]) })],
    ["a price of zero, as archives write it", of("transaction", { maxFeePerGas: "0x0" })],
  ])("may have %s: then that is not compared", async (_name, change) => {
    const { hash } = await signedRecord();
    const gatherer = openGatherer([(await lyingNode("eip1559", change)).url]);
    expect((await gatherer.gather(hash)).tx_hash).toBe(hash);
    expect(troublesOf(gatherer)).toEqual([[]]);
  });
});

describe("an endpoint that contradicted itself", () => {
  it("is asked last for half a minute, and forgiven by its next answer that holds", async () => {
    const clock = youngClock();
    const told = await signedRecord();
    const bad = structuredClone(told);
    const [first, second] = [await startNode(bad), await startNode(told)];
    bad.receipt.status = "0x0";
    const gatherer = openGatherer([first.url, second.url], { clock });
    const gather = async () => {
      clock.time += 20_000;
      await gatherer.gather(told.hash);
      return first.batches.length;
    };
    const asked = [await gather(), await gather()];
    bad.receipt.status = "0x1";
    expect([...asked, await gather()]).toEqual([1, 1, 3]);
    expect(troublesOf(gatherer)).toEqual([[], []]);
  });
});

describe("the chain id", () => {
  const idAsked = (batches: string[][]) => batches.map((batch) => batch.includes("eth_chainId"));

  it("is asked again after a failure, and another one is not believed", async () => {
    const told = await signedRecord();
    let chainId = "0x2105";
    const [moved, good] = [await startNode(told, { eth_chainId: () => chainId }), await startNode(told)];
    const clock = youngClock();
    const gatherer = openGatherer([moved.url, good.url], { clock });
    await gatherer.gather(told.hash);
    moved.fault = "http500";
    clock.time += 20_000;
    await gatherer.gather(told.hash);
    moved.fault = null;
    chainId = "0x1";
    clock.time += 20_000;
    await gatherer.gather(told.hash);
    expect(idAsked(moved.batches)).toEqual([true, false, false, true]);
    expect(troublesOf(gatherer)[0]).toContain("chain wrong_chain");
  });

  it("is asked in one of 65 batches", async () => {
    const told = await signedRecord();
    const node = await startNode(told);
    const gatherer = openGatherer([node.url]);
    for (let i = 0; i < 66; i++) await gatherer.readHead();
    expect(idAsked(node.batches).flatMap((asked, i) => (asked ? [i] : []))).toEqual([0, 65]);
  });
});
