import { LRUCache } from "lru-cache";
import type { Address } from "../../kernel/address.ts";
import type { Asker } from "../../kernel/asker.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { ChainCalendar } from "../../model/chain-calendar.ts";
import type { Decision } from "../../model/decision.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import { runInTime } from "../explain/explain.ts";
import { createSharedRuns } from "../explain/shared-runs.ts";
import { createWorkQueue, type WorkQueueOptions } from "../explain/work-queue.ts";
import type { LookUp } from "../lookup/lookup.ts";
import { type Clock, describeTroubles } from "../network/health/endpoint-health.ts";
import type { Endpoint } from "../network/rpc/endpoint.ts";
import type { EndpointPool } from "../network/rpc/endpoint-pool.ts";
import { type ChainState, readChainState } from "./chain-state.ts";
import { beyond, joinAnswers } from "./lookup-merge.ts";
import { type PreviewAnswer, toAnswer } from "./preview-answer.ts";
import { type DraftParts, draftOf, requestDraft } from "./preview-draft.ts";
import { nameOfRequest, type PreviewRequest } from "./preview-request.ts";
import { endsDiffer } from "./runs/run-differences.ts";
import { refuseGas, type Simulated, simulate } from "./runs/simulate.ts";
import { fillIn } from "./unsigned-transaction.ts";

/** While their block is the newest, and a moment longer. */
export function createPreviewMemory(clock: Clock) {
  const expiry = { ttl: onBlockMs, ttlResolution: 0, perf: clock };
  const answers = new LRUCache<string, { answer: PreviewAnswer; at: number }>({
    ...expiry,
    maxSize: serviceLimits.previewCacheBytes,
    sizeCalculation: ({ answer }) => answer.body.length * 9 + JSON.stringify(answer.caseFile).length * 2 + 1024,
  });
  return {
    /** Of the last two seconds, on any block. */
    recent(name: string): PreviewAnswer | undefined {
      const kept = answers.get(name);
      return kept !== undefined && clock.now() - kept.at < recentMs ? kept.answer : undefined;
    },
    onBlock(name: string, hash: Hash): PreviewAnswer | undefined {
      const kept = answers.get(name);
      return kept?.answer.caseFile.block.hash === hash ? kept.answer : undefined;
    },
    /** Not where a source did not answer. */
    keep(name: string, answer: PreviewAnswer): void {
      if (isWhole(answer)) answers.set(name, { answer, at: clock.now() });
    },
  };
}

/** A few blocks. */
const recentMs = 2_000;
const onBlockMs = 30_000;

function isWhole({ caseFile: { price, tokens, reads, simulation } }: PreviewAnswer): boolean {
  const asked = [price, ...reads, ...Object.values(tokens)];
  const failed = simulation?.unavailable.some(({ reason }) => reason === "failed") ?? false;
  return !failed && asked.every(({ status }) => status !== "unavailable");
}

/** Shared with explanations. */
export interface PreviewStages {
  plan(draft: CaseFile, signal: AbortSignal, asker?: Asker): MaybePromise<LookupPlan>;
  lookUp: LookUp;
  decide(caseFile: CaseFile, signal: AbortSignal, asker?: Asker): MaybePromise<Decision>;
}

export interface PreviewerOptions {
  pool: EndpointPool;
  stages: PreviewStages;
  /** GasPriceOracle; null: the fee on Ethereum stays unknown. */
  l1FeeOracle: Address | null;
  /** Of the simulated block. */
  calendar: ChainCalendar;
  /** For one preview, with the wait for a place. */
  deadlineMs?: number;
  work?: WorkQueueOptions;
  clock?: Clock;
}

export interface Previewer {
  /** On the newest block; equal requests share a run. Rejects with ServiceError `upstream_unavailable` or `overloaded`. */
  preview(request: PreviewRequest, signal?: AbortSignal, asker?: Asker): Promise<PreviewAnswer>;
  /** Of the last two seconds. */
  cached(request: PreviewRequest): PreviewAnswer | undefined;
  close(): void;
}

/**
 * Makes the previewer. Its stages:
 *
 *   PreviewRequest ── chain state ──▶ block, nonce ── simulate ──▶ runs ── draft ──▶ CaseFile ── lookUp ──▶ CaseFile ── decide ──▶ Preview
 *
 * What the calldata names is looked up together with the simulation. A third round trip is made only for what the simulation adds.
 */
export function createPreviewer(options: PreviewerOptions): Previewer {
  const { pool, deadlineMs = 8_000, clock = Date } = options;
  const memory = createPreviewMemory(clock);
  const sharedRuns = createSharedRuns<string, PreviewAnswer>({ callersMax: serviceLimits.callersMax });
  const queue = createWorkQueue(options.work ?? { runningMax: 32, waitingMax: 128 });

  async function run(request: PreviewRequest, signal: AbortSignal, asker?: Asker): Promise<PreviewAnswer> {
    let unsimulated: Unsimulated | undefined;
    const answer = await pool.tryEach(async (endpoint) => {
      if (unsimulated !== undefined && lacksBoth(endpoint)) return undefined;
      const chainState = await readChainState(endpoint, request.from, signal);
      if (chainState === undefined) return undefined;
      const known = memory.onBlock(nameOfRequest(request), chainState.hash);
      if (known !== undefined) return known;
      const outcome = await previewAt(endpoint, { request, chainState, asker }, signal, options);
      if (outcome !== undefined && "answer" in outcome) return outcome.answer;
      unsimulated ??= outcome;
      return undefined;
    }, signal);
    if (answer !== undefined) return answer;
    if (unsimulated !== undefined) return unsimulated.conclude();
    const troubles = describeTroubles(pool.endpoints);
    const message = troubles === "" ? undefined : `No chain source answered: ${troubles}.`;
    throw new ServiceError("upstream_unavailable", message, { retryAfterSeconds: 5 });
  }

  return {
    cached: (request) => memory.recent(nameOfRequest(request)),
    async preview(request, signal, asker) {
      const name = nameOfRequest(request);
      const recent = memory.recent(name);
      if (recent !== undefined) return recent;
      const startRun = (ended: AbortSignal) =>
        runInTime(queue, { deadlineMs, ended, asker }, async (gathering) => {
          const answer = await run(request, gathering, asker);
          memory.keep(name, answer);
          return answer;
        });
      return sharedRuns.join(name, startRun, signal);
    },
    close: () => sharedRuns.close(),
  };
}

/** The endpoint cannot simulate: used only if no other can. */
interface Unsimulated {
  conclude(): Promise<PreviewAnswer>;
}

function lacksBoth({ health }: Endpoint): boolean {
  return health.rests("debug_traceCall") && health.rests("eth_simulateV1");
}

/** undefined: no answer. */
async function previewAt(
  endpoint: Endpoint,
  { request, chainState, asker }: { request: PreviewRequest; chainState: ChainState; asker: Asker | undefined },
  signal: AbortSignal,
  { stages, l1FeeOracle, calendar }: PreviewerOptions,
): Promise<{ answer: PreviewAnswer } | Unsimulated | undefined> {
  const gasCap = calendar.gasCap(Number(chainState.number) + 1);
  const parts: DraftParts = { transaction: fillIn(request, chainState, gasCap), chainState };
  const foretold = requestDraft(parts);
  const plan = await stages.plan(foretold, signal, asker);
  const look = (draft: CaseFile, wanted: LookupPlan) => stages.lookUp({ draft, endpoint, asked: [] }, wanted, signal);
  const [simulated, early] = await Promise.all([
    refuseGas(parts.transaction, gasCap) ?? simulate({ endpoint, ...parts, calendar, oracle: l1FeeOracle }, signal),
    look(foretold, plan),
  ]);
  if (simulated === undefined) return undefined;
  const { told, refusal } = simulated;
  const conclude = async (draft: CaseFile): Promise<PreviewAnswer> => {
    const rest = beyond(await stages.plan(draft, signal, asker), plan);
    const late = rest === null ? undefined : await look(draft, rest);
    const answers = late === undefined ? early : joinAnswers(early, late);
    const { tokens, reads, risk } = answers;
    const file = { ...draft, gathered_at: early.gathered_at, price: early.price, tokens, reads, ...(risk && { risk }) };
    return toAnswer(file, await stages.decide(file, signal, asker));
  };
  if (told !== null && refusal === null)
    return {
      answer: await conclude(
        await comparedDraft(parts, simulated, { decide: (file) => stages.decide(file, signal, asker) }),
      ),
    };
  const asked = requestDraft(parts, simulated);
  return refusal === null ? { conclude: () => conclude(asked) } : { answer: await conclude(asked) };
}

/** `differs`: another run ended differently. */
async function comparedDraft(
  parts: DraftParts,
  simulated: Simulated,
  { decide }: { decide(file: CaseFile): MaybePromise<Decision> },
): Promise<CaseFile> {
  const { told, others } = simulated;
  const runs = [...(told === null ? [] : [told.run]), ...others];
  const [first, ...rest] = await Promise.all(
    runs.map(async (run) => {
      const file = draftOf(parts, simulated, run, null);
      return { file, decision: await decide(file) };
    }),
  );
  if (first === undefined || rest.length === 0) return first?.file ?? requestDraft(parts, simulated);
  // Without a priced run, a bare run has nothing to differ from (null). Two methods may disagree all the same.
  const differs = rest.some((other) => endsDiffer(first, other)) || (simulated.priced ? false : null);
  const { simulation } = first.file;
  return { ...first.file, ...(simulation && { simulation: { ...simulation, differs } }) };
}
