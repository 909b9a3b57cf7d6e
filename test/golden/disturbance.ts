import type { CaseFile, RpcFrame, RpcLog, RpcReceipt, RpcTransaction } from "../../src/model/case-file.ts";

/** What a transaction would be with one thing otherwise, which the chain or an attacker could have made so. */
export type Disturbance = (file: CaseFile) => CaseFile;

const unlimited = `0x${"f".repeat(64)}`;
const stranger = `0x${"5e".repeat(20)}`;
const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0").toLowerCase()}`;
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const approval = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const approvalForAll = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
const ownership = "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0";

const withTransaction = (change: (tx: RpcTransaction) => Partial<RpcTransaction>): Disturbance => {
  return (file) => ({ ...file, transaction: { ...file.transaction, ...change(file.transaction) } });
};
const withReceipt = (change: Partial<RpcReceipt>): Disturbance => {
  return (file) => ({ ...file, receipt: { ...file.receipt, ...change } });
};
const withLogs = (change: (logs: readonly RpcLog[], file: CaseFile) => RpcLog[]): Disturbance => {
  return (file) => ({ ...file, receipt: { ...file.receipt, logs: change(file.receipt.logs, file).map(numbered) } });
};
const eachLog = (change: (log: RpcLog, i: number) => RpcLog): Disturbance => withLogs((logs) => logs.map(change));
const beside = (logOf: (file: CaseFile) => RpcLog): Disturbance => withLogs((logs, file) => [...logs, logOf(file)]);
const withCalls = (change: (frame: RpcFrame) => RpcFrame): Disturbance => {
  return (file) => ("root" in file.trace ? { ...file, trace: { ...file.trace, root: change(file.trace.root) } } : file);
};
const everyCall = (frame: RpcFrame, change: (frame: RpcFrame) => RpcFrame): RpcFrame => {
  return change({ ...frame, ...(frame.calls && { calls: frame.calls.map((call) => everyCall(call, change)) }) });
};

function numbered(log: RpcLog, i: number): RpcLog {
  return { ...log, logIndex: `0x${i.toString(16)}` };
}

/** Changes each whole 32-byte word of data. */
function withWords(data: string, change: (word: string) => string): string {
  return data.replace(/(?<=^0x(?:.{64})*).{64}/g, change);
}

const isAmount = (word: string) => /^0{24}/.test(word) === false || word.startsWith("0".repeat(30));

/** What the call and its envelope could be. */
export const envelopes: Readonly<Record<string, Disturbance>> = {
  "it reverted": (file) =>
    withReceipt({ status: "0x0", logs: [] })({ ...file, trace: { source: "none", reason: "-" } }),
  "it reverted, with logs": withReceipt({ status: "0x0" }),
  "no status": ({ receipt: { status: _, ...receipt }, ...file }) => ({ ...file, receipt }),
  "no value": withTransaction(() => ({ value: "0x0" })),
  "one wei": withTransaction(() => ({ value: "0x1" })),
  "much value": withTransaction(() => ({ value: "0xde0b6b3a7640000000" })),
  "no calldata": withTransaction(() => ({ input: "0x" })),
  "the selector alone": withTransaction(({ input }) => ({ input: input.slice(0, 10) })),
  "calldata a byte short": withTransaction(({ input }) => ({ input: input.length > 2 ? input.slice(0, -2) : input })),
  "calldata a word longer": withTransaction(({ input }) => ({ input: `${input}${"0".repeat(64)}` })),
  "calldata with a mark": withTransaction(({ input }) => ({ input: `${input}6261736564` })),
  "unlimited amounts in the call": withTransaction(({ input }) => ({
    input: `${input.slice(0, 10)}${withWords(`0x${input.slice(10)}`, (word) => (isAmount(word) ? "f".repeat(64) : word)).slice(2)}`,
  })),
  "no amounts in the call": withTransaction(({ input }) => ({
    input: `${input.slice(0, 10)}${withWords(`0x${input.slice(10)}`, (word) => (isAmount(word) ? "0".repeat(64) : word)).slice(2)}`,
  })),
  "to a stranger": withTransaction(() => ({ to: stranger })),
  "to oneself": withTransaction(({ from }) => ({ to: from })),
  "a creation": (file) => withReceipt({ contractAddress: stranger })(withTransaction(() => ({ to: null }))(file)),
  "from a stranger": withTransaction(() => ({ from: stranger })),
  "a deposit": withTransaction(() => ({ type: "0x7e", sourceHash: unlimited, mint: "0x5" })),
  "a system deposit": withTransaction(() => ({ type: "0x7e", sourceHash: unlimited, isSystemTx: true })),
  "code is delegated": withTransaction(() => ({ type: "0x4", authorizationList: [authorizationTo(stranger)] })),
  "delegated code is cleared": withTransaction(() => ({
    type: "0x4",
    authorizationList: [authorizationTo(`0x${"0".repeat(40)}`)],
  })),
  "nobody knows the fee": ({ receipt: { l1Fee: _, effectiveGasPrice: __, ...receipt }, ...file }) => ({
    ...file,
    receipt,
  }),
  "a high fee": withReceipt({ effectiveGasPrice: "0x174876e800", l1Fee: "0x2386f26fc10000" }),
};

function authorizationTo(address: string) {
  return { chainId: "0x2105", address, nonce: "0x1", authority: stranger };
}

/** What the logs could be. */
export const logs: Readonly<Record<string, Disturbance>> = {
  "no logs": withLogs(() => []),
  "without the first log": withLogs((all) => all.slice(1)),
  "without the last log": withLogs((all) => all.slice(0, -1)),
  "every second log": withLogs((all) => all.filter((_, i) => i % 2 === 0)),
  "the other logs": withLogs((all) => all.filter((_, i) => i % 2 === 1)),
  "logs in reverse": withLogs((all) => all.toReversed()),
  "logs twice": withLogs((all) => [...all, ...all]),
  "the first log of a stranger": eachLog((log, i) => (i === 0 ? { ...log, address: stranger } : log)),
  "the last log of a stranger": withLogs((all) =>
    all.map((log, i) => (i === all.length - 1 ? { ...log, address: stranger } : log)),
  ),
  "all logs of strangers": eachLog((log, i) => ({ ...log, address: `0x${(i + 1).toString(16).padStart(40, "7")}` })),
  "logs without data": eachLog((log) => ({ ...log, data: "0x" })),
  "log data a byte short": eachLog((log) => ({ ...log, data: log.data.length > 2 ? log.data.slice(0, -2) : log.data })),
  "nothing in the amounts": eachLog((log) => ({
    ...log,
    data: withWords(log.data, (word) => (isAmount(word) ? "0".repeat(64) : word)),
  })),
  "the most in the amounts": eachLog((log) => ({
    ...log,
    data: withWords(log.data, (word) => (isAmount(word) ? "f".repeat(64) : word)),
  })),
  "amounts a little higher": eachLog((log) => ({
    ...log,
    data: withWords(log.data, (word) => (isAmount(word) ? higher(word) : word)),
  })),
  "a topic less": eachLog((log) => ({ ...log, topics: log.topics.slice(0, -1) })),
  "topics exchanged": eachLog(({ topics: [event, a, b, ...rest], ...log }) => {
    return { ...log, topics: [event, b, a, ...rest].filter((topic) => topic !== undefined) };
  }),
  "a gift beside": beside(({ transaction }) => moved(stranger, stranger, transaction.from)),
  "a listed gift beside": beside(({ transaction }) =>
    moved("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", stranger, transaction.from),
  ),
  "a payment beside": beside(({ transaction }) =>
    moved("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", transaction.from, stranger),
  ),
  "an approval beside": beside(({ transaction }) => approved(transaction.from, unlimited)),
  "an approval taken back beside": beside(({ transaction }) => approved(transaction.from, wordOf("0x0"))),
  "an operator beside": beside(({ transaction }) => {
    return {
      address: stranger,
      topics: [approvalForAll, wordOf(transaction.from), wordOf(stranger)],
      data: wordOf("0x1"),
    };
  }),
  "another owner beside": beside(({ transaction }) => {
    return {
      address: transaction.to ?? stranger,
      topics: [ownership, wordOf(transaction.from), wordOf(stranger)],
      data: "0x",
    };
  }),
};

function higher(word: string): string {
  return ((BigInt(`0x${word}`) + 12_345n) % 2n ** 256n).toString(16).padStart(64, "0");
}

function moved(token: string, from: string, to: string): RpcLog {
  return { address: token, topics: [transfer, wordOf(from), wordOf(to)], data: wordOf("0x1e8480") };
}

function approved(owner: string, amount: string): RpcLog {
  const topics = [approval, wordOf(owner), wordOf(stranger)];
  return { address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", topics, data: amount };
}

/** What the calls inside could be, and how much of them was seen. */
export const calls: Readonly<Record<string, Disturbance>> = {
  "nobody traced it": (file) => ({ ...file, trace: { source: "none", reason: "unavailable" } }),
  "only ether inside is known": (file) => ({
    ...file,
    trace: {
      source: "internal_transfers",
      provider: "explorer.example",
      internal_transfers: [sentInside(file, 0), sentInside(file, 1)],
    },
  }),
  "nothing moved inside": (file) => ({
    ...file,
    trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
  }),
  "transfers inside failed": (file) => {
    const { trace } = file;
    if (trace.source !== "internal_transfers") return file;
    const failed = trace.internal_transfers.map((one) => ({ ...one, success: false }));
    return { ...file, trace: { ...trace, internal_transfers: failed } };
  },
  "transfers inside without order": (file) => {
    const { trace } = file;
    if (trace.source !== "internal_transfers") return file;
    return {
      ...file,
      trace: { ...trace, internal_transfers: trace.internal_transfers.map(({ logs_before: _, ...one }) => one) },
    };
  },
  "no inner calls": withCalls(({ calls: _, ...frame }) => frame),
  "the last inner call failed": withCalls((frame) => ({
    ...frame,
    ...(frame.calls && {
      calls: frame.calls.map((call, i, all) => (i === all.length - 1 ? { ...call, error: "out of gas" } : call)),
    }),
  })),
  "inner calls send ether": withCalls((frame) => everyCall(frame, (call) => ({ ...call, value: "0x2386f26fc10000" }))),
  "inner calls are delegated": withCalls((frame) =>
    everyCall(frame, (call) => ({ ...call, type: call.type === "CALL" ? "DELEGATECALL" : call.type })),
  ),
  "a trace of one call": (file) => ({ ...file, trace: { source: "debug_traceTransaction", root: tracedCall(file) } }),
};

function sentInside({ transaction: { from, to }, receipt }: CaseFile, i: number) {
  const [payer, payee] = i === 0 ? [to ?? stranger, from] : [from, stranger];
  return {
    type: "call",
    from: payer,
    to: payee,
    value: "0xde0b6b3a7640000",
    success: true,
    logs_before: receipt.logs.length,
  };
}

function tracedCall({ transaction: { from, to, value, input } }: CaseFile): RpcFrame {
  const refund = { type: "CALL", from: to ?? stranger, to: from, value: "0x1", input: "0x" };
  return { type: to === null ? "CREATE" : "CALL", from, to: to ?? stranger, value, input, calls: [refund] };
}
