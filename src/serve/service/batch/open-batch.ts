import type { Answer } from "../../../gather/explain/explain.ts";
import { assert } from "../../../kernel/error.ts";
import type { Hash } from "../../../kernel/hex.ts";
import type { MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { AdmittedBatch } from "../../access/batch/batch-metering.ts";
import type { Access } from "../../access/open.ts";
import type { Client } from "../../access/quota/client-address.ts";
import { type CountedWork, checkDebt, checkRate, countUnsent, countWork } from "../../access/quota/rate-limit.ts";
import type { Visitors } from "../../access/quota/visitors.ts";
import type { AnswerMaker, Funds } from "../answer-maker.ts";
import { clientOf } from "../caller.ts";
import type { AskedLine, BatchOutcome, BatchRequest, BatchStream } from "./batch-request.ts";
import { type LineTellerOptions, tellLines } from "./line-teller.ts";
import { LineWork } from "./line-work.ts";

export interface BatchParts extends Pick<LineTellerOptions, "answers" | "counts" | "fail" | "log"> {
  /** null: everything is free. */
  access: Access | null;
  visitors: Visitors;
  maker: AnswerMaker;
}

/** Settles a payment where needed. Throws and rejects with ServiceError. */
export async function openBatch(request: BatchRequest, parts: BatchParts): Promise<BatchOutcome> {
  const client = clientOf(request.caller, parts.visitors.readClient);
  const { access } = parts;
  return access === null ? openFree(request, parts, client) : openPriced(request, { ...parts, access }, client);
}

function openFree(request: BatchRequest, parts: BatchParts, client: Client): BatchStream {
  const { limits, gatherings } = parts.visitors;
  const read = request.read(false);
  assert("asked" in read, "nobody asks for the price where nothing is metered");
  const gone = request.caller.gone?.();
  const make = makeWith(request, parts, { gone, funds: { via: "batch", client } }, () => {
    checkRate(limits.work, client);
    checkRate(gatherings, client, "Too many explanations within a minute.");
    const counted = countWork(limits.work, client);
    gatherings.spend(client);
    const grow = (size: number) => gatherings.spend(client, size - 1);
    return { ...counted, grow, check: () => checkDebt(gatherings, client) };
  });
  const work = new LineWork({ hashes: hashesOf(read.asked), make, gone, isStopping: request.isStopping });
  const noteUnsent = (count: number) => countUnsent(limits.work, client, count);
  const lines = tellLines(read.asked, { ...parts, request, work, gone, admitted: null, noteUnsent });
  return { kind: "stream", lines, quota: undefined, credit: null, creditLeft: () => null };
}

async function openPriced(
  request: BatchRequest,
  parts: BatchParts & { access: Access },
  client: Client,
): Promise<BatchOutcome> {
  const { metering, batches } = parts.access;
  const read = request.read(true);
  if (!("asked" in read)) return metering.quote({ client, product: "batch", resource: request.resource }, read.refusal);
  const { asked, tender } = read;
  const requests = hashesOf(asked);
  const isForwarded = parts.visitors.forwarding.isUntrusted(request.caller);
  const admitted = await batches.admit({ client, requests, isForwarded, ...tender });
  if (admitted.kind === "challenged") return admitted;
  try {
    const gone = request.caller.gone?.();
    const free = tender?.passToken === undefined && tender?.payment === undefined;
    const funds: Funds = { via: "batch", client: admitted.worker, free };
    const make = makeWith(request, parts, { gone, funds }, () => metering.beginWork(admitted.worker));
    const bought = admitted.credit()?.bought;
    const hashes = requests.filter((hash) => bought?.has(hash) !== true);
    const work = new LineWork({ hashes, make, gone, isStopping: request.isStopping });
    const noteUnsent = (count: number) => metering.noteUnsent(admitted.worker, count);
    const refused = await settleIfNeeded(admitted, work, gone).catch((cause: unknown): never => {
      noteUnsent(work.unsent);
      throw cause;
    });
    if (refused !== null) {
      noteUnsent(work.unsent);
      await admitted.end();
      return refused;
    }
    const lines = tellLines(asked, { ...parts, request, work, gone, admitted, noteUnsent });
    const creditLeft = () => admitted.creditLeft();
    return { kind: "stream", lines, quota: admitted.quota, credit: admitted.credit(), creditLeft };
  } catch (cause) {
    await admitted.end();
    throw cause;
  }
}

/** Once an answer is beyond free calls and pass; before, the payment may not be needed. Who is gone pays nothing. */
async function settleIfNeeded(admitted: AdmittedBatch, work: LineWork, gone: AbortSignal | undefined) {
  const { unsettledBeyond } = admitted;
  if (unsettledBeyond === null || !(await work.hasMoreThan(unsettledBeyond)) || gone?.aborted) return null;
  return admitted.settle();
}

/** `begin` throws ServiceError where too much is asked. */
function makeWith(
  { transport, caller }: BatchRequest,
  { maker, answers }: BatchParts,
  { gone, funds }: { gone: AbortSignal | undefined; funds: Funds },
  begin: () => CountedWork,
): (hash: Hash) => MaybePromise<Answer> {
  // All lines share one signal.
  const origin = { transport, caller: gone === undefined ? caller : { ...caller, gone: () => gone } };
  return (hash) => {
    const known = maker.recall(answers, hash);
    if (known !== undefined) return known;
    const { grow, check, end } = begin();
    const making = maker.make(answers, hash, origin, { ...funds, spend: grow, check });
    return making.then(
      (answer) => {
        end(true);
        return answer;
      },
      (cause: unknown) => {
        // The failure itself is counted where it is told.
        end(false);
        throw cause;
      },
    );
  };
}

/** Each once, in order. */
function hashesOf(asked: readonly AskedLine[]): Hash[] {
  return [...new Set(asked.flatMap(({ hash }) => hash ?? []))];
}
