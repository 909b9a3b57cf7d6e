import type { Answer } from "../../../gather/explain/explain.ts";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Hash } from "../../../kernel/hex.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { AdmittedBatch } from "../../access/batch/batch-metering.ts";
import type { AnswerKind } from "../answer-kind.ts";
import type { ExplanationCounts } from "../explanation-counts.ts";
import type { Failed } from "../outcome.ts";
import type { AskedLine, BatchLine, BatchRequest } from "./batch-request.ts";
import type { LineWork } from "./line-work.ts";

export interface LineTellerOptions {
  request: BatchRequest;
  answers: AnswerKind<Hash, Answer>;
  work: LineWork;
  /** null: not metered. */
  admitted: AdmittedBatch | null;
  /** Disconnect: no charge after it. */
  gone: AbortSignal | undefined;
  counts: ExplanationCounts;
  fail(thrown: unknown, request: BatchRequest, known?: Pick<AdmittedBatch, "quota" | "worker">): Promise<Failed>;
  /** Cost work, neither charged nor sent. */
  noteUnsent(lines: number): void;
  log: Logger;
}

/** In order, charged just before sending: unread lines are free. A repeated hash is free. */
export async function* tellLines(
  asked: readonly AskedLine[],
  options: LineTellerOptions,
): AsyncGenerator<BatchLine, void, undefined> {
  const { request, admitted, work, gone, log } = options;
  const started = performance.now();
  const repeated = new Map<Hash, BatchLine>();
  const last = new Map(asked.map(({ hash }, place) => [hash, place]));
  let told = 0;
  try {
    for (const [place, one] of asked.entries()) {
      if (gone?.aborted) return;
      const line = (one.hash === null ? undefined : repeated.get(one.hash)) ?? (await lineOf(one, options));
      if (line === null) return;
      if (one.hash !== null) work.sent(one.hash);
      if (one.hash !== null && last.get(one.hash) !== place) repeated.set(one.hash, line);
      yield line;
      told++;
    }
  } finally {
    options.noteUnsent(work.unsent);
    await admitted?.end();
    const ms = Math.round(performance.now() - started);
    log.info({ event: "batch", transport: request.transport, lines: asked.length, told, ms });
  }
}

/** null: disconnected. */
async function lineOf(asked: AskedLine, options: LineTellerOptions): Promise<BatchLine | null> {
  const { admitted, work, gone } = options;
  if (asked.hash === null) return lineOfFailure(new ServiceError("invalid_tx_hash"), asked.text, options);
  const { hash } = asked;
  try {
    const credit = admitted?.credit();
    if (credit?.bought.has(hash)) {
      const body = await credit.recall(hash);
      assert(body !== null, "lines that are bought are kept");
      options.counts.add(options.answers.resultIn(body));
      return { body };
    }
    const made = await work.take(hash);
    if (gone?.aborted) return null;
    if ("thrown" in made) return await lineOfFailure(made.thrown, hash, options);
    return await lineOfAnswer(hash, made.answer, options);
  } catch (thrown) {
    return lineOfFailure(thrown, hash, options);
  }
}

async function lineOfAnswer(hash: Hash, answer: Answer, { admitted, counts, answers }: LineTellerOptions) {
  const body = admitted === null ? answer.body : await admitted.charge(hash, answer.body);
  counts.add(answers.resultOf(answer));
  return { body, source: answer.source };
}

/** As for a single request, with its hash or text. */
async function lineOfFailure(thrown: unknown, about: string, options: LineTellerOptions): Promise<BatchLine> {
  const { fail, request, admitted } = options;
  const { failure } = await fail(thrown, request, admitted ?? undefined);
  return { body: JSON.stringify({ ...failure.body, tx_hash: about }) };
}
