import { getContractAddress } from "viem";
import { isNativePlaceholder, readAddress } from "../../../kernel/address.ts";
import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { readHash, readHex, readQuantity } from "../../../kernel/hex.ts";
import { transferTopic } from "../../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { InternalTransfer, RpcFrame, RpcLog, RpcReceipt } from "../../../model/case-file.ts";
import type { RpcAnswer } from "../../network/rpc/endpoint.ts";
import { logFields, quantityHex, readRpcLog } from "../../network/rpc/rpc-objects.ts";
import type { PreviewRequest } from "../preview-request.ts";
import { readUnrun, type SimulatedRun } from "./simulated-run.ts";

/** `eth_simulateV1`, as receipt and ether movements; no call tree. */
export function readSimulatedBlock(
  answer: RpcAnswer | undefined,
  request: PreviewRequest,
  nonce: bigint,
): SimulatedRun {
  if (answer?.ok !== true) return readUnrun(answer);
  const block = readObject(Array.isArray(answer.result) ? answer.result[0] : undefined);
  const call = readObject(Array.isArray(block?.calls) ? block.calls[0] : undefined);
  if (call === undefined || !Array.isArray(call.logs)) return { kind: "failed" };
  const stands = readQuantity(call.status) === 1n;
  const told = readLogs(call.logs);
  if (told === undefined) return { kind: "failed" };
  const gasUsed = readQuantity(call.gasUsed);
  const created = request.to === null && stands ? getContractAddress({ from: request.from, nonce }) : null;
  const receipt: RpcReceipt = {
    status: stands ? "0x1" : "0x0",
    ...(gasUsed === undefined ? {} : { gasUsed: quantityHex(gasUsed) }),
    contractAddress: created,
    logs: stands ? told.logs : [],
  };
  if (!stands) return { kind: "ran", receipt, trace: { source: "eth_simulateV1", root: failedFrame(call, request) } };
  const inner = withoutEnvelope(told.transfers, request);
  const internal_transfers = inner.map((transfer) => asCalled(transfer, told.logs));
  return {
    kind: "ran",
    receipt,
    trace: { source: "internal_transfers", provider: "eth_simulateV1", internal_transfers },
  };
}

interface ToldLogs {
  logs: RpcLog[];
  transfers: InternalTransfer[];
}

/** Ether comes as Transfer logs of 0xeeee…eeee. Undefined: unreadable. */
function readLogs(items: readonly unknown[]): ToldLogs | undefined {
  const told: ToldLogs = { logs: [], transfers: [] };
  for (const item of items) {
    const log = readRpcLog<RpcLog>(item, logFields);
    if (log === undefined) return undefined;
    const transfer = etherIn(log, told.logs.length);
    const { address, topics, data } = log;
    if (transfer !== undefined) told.transfers.push(transfer);
    else told.logs.push({ address, topics, data, logIndex: quantityHex(BigInt(told.logs.length)) });
  }
  return told;
}

/**
 * Moves ether behind the logs that its sender wrote right after: they belong to the sender's call, which began before, as in a call tree.
 */
function asCalled(transfer: InternalTransfer, logs: readonly RpcLog[]): InternalTransfer {
  let before = transfer.logs_before ?? 0;
  while (readAddress(logs[before]?.address) === transfer.from) before++;
  return { ...transfer, logs_before: before };
}

function etherIn({ address, topics, data }: RpcLog, logs: number): InternalTransfer | undefined {
  const emitter = readAddress(address);
  const [topic, from, to] = topics.map((one) => readHash(one));
  if (emitter === undefined || !isNativePlaceholder(emitter) || topic !== transferTopic || topics.length !== 3)
    return undefined;
  if (!isAddressWord(from) || !isAddressWord(to)) return undefined;
  const value = readQuantity(data);
  if (value === undefined) return undefined;
  const parties = { from: addressOfWord(from), to: addressOfWord(to) };
  return { type: "call", ...parties, value: quantityHex(value), success: true, logs_before: logs };
}

/** The envelope's value is known already. */
function withoutEnvelope(transfers: InternalTransfer[], { from, value }: PreviewRequest): InternalTransfer[] {
  const [first] = transfers;
  const isOwn = value > 0n && first?.from === from && readQuantity(first.value) === value && first.logs_before === 0;
  return isOwn ? transfers.slice(1) : transfers;
}

/** Inner calls are unknown. */
function failedFrame(call: JsonObject, { from, to, value, data }: PreviewRequest): RpcFrame {
  const error = readObject(call.error);
  const output = [call.returnData, error?.data].map(readHex).find((one) => one !== undefined && one !== "0x");
  const said = typeof error?.message === "string" ? error.message : "";
  return {
    type: to === null ? "CREATE" : "CALL",
    from,
    ...(to === null ? {} : { to }),
    value: quantityHex(value),
    input: data,
    error: said === "" || /^execution (?:reverted|failed)/.test(said) ? "execution reverted" : said,
    ...(output === undefined ? {} : { output }),
  };
}
