import pLimit from "p-limit";
import type { WholeEngine } from "../../engine/engine.ts";
import { openRecordings } from "../../gather/recordings/recordings.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Config } from "../../serve/settings/config.ts";
import { type OpenedExplainer, openExplainer } from "../../serve/start/open-explainer.ts";
import type { BlockAnswer, BlockWork, FilterWork } from "./block-work.ts";
import { eachLine, isEmpty } from "./line-blocks.ts";
import { describeLineError, LineError } from "./line-error.ts";
import { hashOfLine, readLine } from "./line-input.ts";

export interface LineAnswer {
  /** JSON. */
  text: string;
  /** On a recording although the network was asked. */
  recorded: boolean;
}

export type LineAnswerer = ReturnType<typeof openLineAnswerer>;

/** Answers for one thread. Nothing is asked before the first hash. */
export function openLineAnswerer({ config, asks, evidence, threads }: FilterWork, engine: WholeEngine) {
  const ofCase = (caseFile: CaseFile) => {
    const decision = engine.decide(caseFile);
    return own(evidence ? { ...decision.explanation, evidence: decision.evidence() } : decision.explanation);
  };
  const ofHash = asks ? openAsker(share(config, threads), { engine, evidence }) : openReplayer(config, ofCase);
  return {
    /** Throws and rejects with errors for {@link describeLineError}. */
    answer(line: string): LineAnswer | Promise<LineAnswer> {
      const input = readLine(line);
      return "hash" in input ? ofHash(input.hash) : ofCase(input.caseFile);
    },
  };
}

function own(value: object): LineAnswer {
  return { text: JSON.stringify(value), recorded: false };
}

/** Answers in order, none for empty lines. Never rejects. */
export async function answerBlock(
  { first, bytes }: Pick<BlockWork, "first" | "bytes">,
  answerer: LineAnswerer,
): Promise<BlockAnswer> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const answers: (LineAnswer | Promise<LineAnswer>)[] = [];
  let failures = 0;
  let number = first - 1;
  for (const span of eachLine(source)) {
    number++;
    if (isEmpty(source, span)) continue;
    const line = source.toString("utf8", span.from, span.to - 1);
    const place = number;
    const fail = (error: unknown) => {
      failures++;
      return own(describeLineError(error, place, hashOfLine(line)));
    };
    try {
      const answer = answerer.answer(line);
      answers.push(answer instanceof Promise ? answer.catch(fail) : answer);
    } catch (error) {
      answers.push(fail(error));
    }
  }
  const told = await Promise.all(answers);
  const text = told.map((answer) => `${answer.text}\n`).join("");
  const recorded = told.filter((answer) => answer.recorded).length;
  return { bytes: new TextEncoder().encode(text), answers: told.length, failures, recorded };
}

/** A thread's share of the limits for the whole process. */
function share(config: Config, threads: number): Config {
  const part = (whole: number) => Math.max(1, Math.floor(whole / threads));
  return {
    ...config,
    work: { ...config.work, runningMax: part(config.work.runningMax) },
    endpointSockets: part(config.endpointSockets),
    cacheBytes: part(config.cacheBytes),
  };
}

function openAsker(config: Config, { engine, evidence }: { engine: WholeEngine; evidence: boolean }) {
  let opened: Promise<OpenedExplainer> | undefined;
  // Limits the calls here: a call that waits here is not refused as too many.
  const limit = pLimit(config.work.runningMax);
  return (hash: Hash) =>
    limit(async (): Promise<LineAnswer> => {
      opened ??= openAnswering(config, engine);
      const answer = await (await opened).explain(hash);
      const recorded = answer.source === "recording";
      if (!evidence) return { text: answer.body.toString("utf8"), recorded };
      return { text: JSON.stringify({ ...answer.explanation, evidence: answer.evidence }), recorded };
    });
}

async function openAnswering(config: Config, engine: WholeEngine): Promise<OpenedExplainer> {
  const explainer = openExplainer(config, engine);
  explainer.start();
  // Reads the newest block first, so that a recording is not used while an endpoint answers.
  if (config.recordingsDir !== null) await explainer.readHead();
  return explainer;
}

function openReplayer({ recordingsDir }: Config, ofCase: (caseFile: CaseFile) => LineAnswer) {
  const recordings = recordingsDir === null ? null : openRecordings(recordingsDir, chain.id);
  return async (hash: Hash) => {
    const found = await recordings?.find(hash);
    if (found === undefined) throw new LineError("not_recorded", "There is no recording of this transaction.");
    return ofCase(found);
  };
}
