import type { Address } from "../../../kernel/address.ts";
import { readObject } from "../../../kernel/canonical.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import type { RefusalReason, RpcFrame, RpcLog, Simulation } from "../../../model/case-file.ts";
import type { ChainCalendar } from "../../../model/chain-calendar.ts";
import { readCallFrame } from "../../network/rpc/call-tree.ts";
import type { Endpoint, RpcAnswer, RpcCall } from "../../network/rpc/endpoint.ts";
import { quantityHex } from "../../network/rpc/rpc-objects.ts";
import { noteMissing } from "../../network/rpc/trace-method.ts";
import type { ChainState } from "../chain-state.ts";
import type { PreviewRequest } from "../preview-request.ts";
import type { UnsignedTransaction } from "../unsigned-transaction.ts";
import { feeCalls, noFees, type OracleFees, readFees } from "./oracle-fees.ts";
import { readSimulatedBlock } from "./simulated-block.ts";
import { readUnrun, type SimulatedRun } from "./simulated-run.ts";
import { type Manner, simulateCall, traceCall } from "./simulation-calls.ts";

export type Ran = Extract<SimulatedRun, { kind: "ran" }>;
type Method = "debug_traceCall" | "eth_simulateV1";

/** All runs at one endpoint. */
export interface Simulated {
  /** The stated run; null: no result. */
  told: { method: Method; run: Ran } | null;
  /** For comparison. */
  others: Ran[];
  /** `told` had a gas price. A contract as sender cannot pay gas. */
  priced: boolean;
  unavailable: Simulation["unavailable"];
  refusal: RefusalReason | null;
  fees: OracleFees;
}

interface Question {
  endpoint: Endpoint;
  transaction: UnsignedTransaction;
  chainState: ChainState;
  calendar: Pick<ChainCalendar, "blocks">;
  /** GasPriceOracle; null: none in labels. */
  oracle: Address | null;
}

const wanted: readonly { method: Method; manner: Manner }[] = [
  { method: "debug_traceCall", manner: "real" },
  { method: "debug_traceCall", manner: "bare" },
  { method: "eth_simulateV1", manner: "real" },
  { method: "eth_simulateV1", manner: "bare" },
];

/** More gas than one transaction may have; undefined: it has not. */
export function refuseGas({ gas }: UnsignedTransaction, gasCap: bigint | null): Simulated | undefined {
  if (gasCap === null || gas <= gasCap) return undefined;
  return { told: null, others: [], priced: false, unavailable: [], refusal: "gas_high", fees: noFees };
}

/**
 * Second round trip: both methods in one batch and block, with and without a price. The trace is preferred for its call tree. Missing
 * methods are remembered. Undefined: no answer at all.
 */
export async function simulate(question: Question, signal: AbortSignal): Promise<Simulated | undefined> {
  const { endpoint, transaction, chainState, oracle } = question;
  const asked = wanted.filter(
    ({ method, manner }) => !endpoint.health.rests(method) && !(manner === "real" && chainState.isContract),
  );
  const fees = oracle === null ? [] : feeCalls(oracle, transaction, chainState.number);
  const askAt = (nextTime: bigint) =>
    endpoint.ask([...asked.map((one) => toCall(one, question, nextTime)), ...fees], signal);
  // Some nodes want a later second than the newest block's.
  const nextTime = nextTimeOf(question);
  const first = await askAt(nextTime);
  const isEarly = nextTime === chainState.time && typeof first === "object" && first.some(wantsLaterTime);
  const answers = isEarly ? await askAt(chainState.time + 1n) : first;
  // It may still know the chain: the calldata is stated.
  if (answers === "timeout")
    return { ...choose(new Map(asked.map((one) => [keyOf(one), failed])), transaction, chainState), fees: noFees };
  if (typeof answers === "string") return undefined;
  const runs = new Map(asked.map((one, i) => [keyOf(one), readRun(one.method, answers[i], question)]));
  for (const { method } of asked)
    if (runsOf(runs, method).some(({ kind }) => kind === "missing")) noteMissing(endpoint, method);
  return { ...choose(runs, transaction, chainState), fees: readFees(answers.slice(asked.length)) };
}

/** Unix seconds by the calendar; without one a second later, which every node accepts. */
function nextTimeOf({ chainState: { number, time }, calendar: { blocks } }: Question): bigint {
  return time + (blocks === null ? 1n : BigInt(blocks.timeAt(number + 1n) - blocks.timeAt(number)));
}

const failed: SimulatedRun = { kind: "failed" };

type Runs = ReadonlyMap<string, SimulatedRun>;

function keyOf({ method, manner }: { method: Method; manner: Manner }): string {
  return `${method} ${manner}`;
}

function runsOf(runs: Runs, method: Method): SimulatedRun[] {
  return (["real", "bare"] as const).flatMap((manner) => runs.get(keyOf({ method, manner })) ?? []);
}

function toCall(
  { method, manner }: (typeof wanted)[number],
  { transaction, chainState, endpoint }: Question,
  nextTime: bigint,
): RpcCall {
  const basis = { transaction, chainState, nextTime };
  if (method === "eth_simulateV1") return simulateCall(basis, manner);
  // Two traces in a row, and the batch must fit into the timeout.
  return traceCall(basis, manner, Math.floor(endpoint.callTimeoutMs * 0.35));
}

/** Refused the time of the block before (execution-apis: -38021). Base's nodes accept it. */
function wantsLaterTime(answer: RpcAnswer): boolean {
  return !answer.ok && (answer.code === -38021 || /timestamps? must be in order/i.test(answer.message));
}

function readRun(method: Method, answer: RpcAnswer | undefined, { transaction }: Question): SimulatedRun {
  const { request, nonce } = transaction;
  return method === "debug_traceCall" ? readCallTrace(answer, request) : readSimulatedBlock(answer, request, nonce);
}

function choose(runs: Runs, transaction: UnsignedTransaction, chainState: ChainState): Omit<Simulated, "fees"> {
  const told: Manner = chainState.isContract ? "bare" : "real";
  const found = methods.flatMap((method) => {
    const run = runs.get(keyOf({ method, manner: told }));
    return run?.kind === "ran" ? [{ method, run }] : [];
  });
  const [best] = found;
  const others = wanted.flatMap((one) => {
    const run = runs.get(keyOf(one));
    return run?.kind === "ran" && run !== best?.run ? [run] : [];
  });
  return {
    told: best ?? null,
    others,
    priced: best !== undefined && !chainState.isContract,
    unavailable: methods.flatMap((method) => lackOf(runsOf(runs, method), method)),
    refusal: refusalOf(runs, transaction, chainState, best !== undefined),
  };
}

const methods = ["debug_traceCall", "eth_simulateV1"] as const;

function lackOf(runs: readonly SimulatedRun[], method: Method): Simulation["unavailable"] {
  if (runs.some(({ kind }) => kind === "ran" || kind === "refused")) return [];
  const missing = runs.length === 0 || runs.some(({ kind }) => kind === "missing");
  return [{ method, reason: missing ? "missing" : "failed" }];
}

/** null: it would not. A trace does not check the nonce. */
function refusalOf(
  runs: Runs,
  { nonce }: UnsignedTransaction,
  chainState: ChainState,
  ran: boolean,
): RefusalReason | null {
  if (nonce < chainState.nonce) return "nonce_low";
  if (nonce > chainState.nonce) return "nonce_high";
  for (const method of methods) {
    const run = runs.get(keyOf({ method, manner: "real" }));
    if (run?.kind === "refused" && !(ran && run.reason === "sender_code")) return run.reason;
  }
  return null;
}

/** `debug_traceCall`, as receipt and call tree. */
export function readCallTrace(answer: RpcAnswer | undefined, request: PreviewRequest): SimulatedRun {
  if (answer?.ok !== true) return readUnrun(answer);
  const root = readCallFrame(answer.result, request.from);
  if (root === undefined) return { kind: "failed" };
  const stands = root.error === undefined;
  const logs: RpcLog[] = [];
  if (stands) gatherLogs(root, logs);
  const gasUsed = readQuantity(readObject(answer.result)?.gasUsed);
  const receipt = {
    status: stands ? "0x1" : "0x0",
    ...(gasUsed === undefined ? {} : { gasUsed: quantityHex(gasUsed) }),
    contractAddress: request.to === null && stands ? (root.to ?? null) : null,
    logs: logs.map((log, i) => ({ ...log, logIndex: quantityHex(BigInt(i)) })),
  };
  return { kind: "ran", receipt, trace: { source: "debug_traceCall", root } };
}

/** Not of failed calls; in order. `position`: before which inner call. */
function gatherLogs(frame: RpcFrame, found: RpcLog[]): void {
  const calls = frame.calls ?? [];
  const logs = frame.logs ?? [];
  let next = 0;
  for (let i = 0; i <= calls.length; i++) {
    for (let log = logs[next]; log !== undefined; log = logs[++next]) {
      if (i < calls.length && positionOf(log) > i) break;
      found.push({ address: log.address, topics: log.topics, data: log.data });
    }
    const child = calls[i];
    if (child !== undefined && child.error === undefined) gatherLogs(child, found);
  }
}

function positionOf({ position }: { position?: string }): number {
  return Number(readQuantity(position) ?? 0n);
}
