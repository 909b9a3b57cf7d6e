import type { Explainer } from "../../gather/explain/explain.ts";
import { CallerGone } from "../../gather/explain/shared-runs.ts";
import type { MessagePreviewer } from "../../gather/preview/message-preview.ts";
import type { Previewer } from "../../gather/preview/preview.ts";
import { assert, ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { codesOf, type Logger } from "../../kernel/logger.ts";
import type { PricedCall, Quota } from "../access/admission.ts";
import type { Access } from "../access/open.ts";
import type { Client } from "../access/quota/client-address.ts";
import { checkDebt, checkRate, countFailure, countWork, limitMistakes } from "../access/quota/rate-limit.ts";
import { openVisitors, type Visitors } from "../access/quota/visitors.ts";
import type { AnswerKind, Sold } from "./answer-kind.ts";
import { AnswerMaker } from "./answer-maker.ts";
import type { BatchOutcome, BatchRequest } from "./batch/batch-request.ts";
import { openBatch } from "./batch/open-batch.ts";
import { type Caller, clientOf } from "./caller.ts";
import { ExplanationCounts } from "./explanation-counts.ts";
import { describeFailure, toServiceError } from "./failure.ts";
import { createEvidence, createExplanations, type EvidenceAnswer } from "./mined-answers.ts";
import type { Bought, Failed, Outcome, Sale } from "./outcome.ts";
import { createPreviews, type PreviewKind } from "./preview-answers.ts";
import { type Charged, chargeFor, type Work } from "./priced-work.ts";
import type { AnswerRequest, PassRequest, RequestOrigin } from "./service-request.ts";

export interface ServiceOptions {
  explainer: Explainer;
  /** Absent: none. */
  previewer?: Previewer;
  /** Absent: refused. */
  messages?: MessagePreviewer;
  /** null: everything is free. */
  access: Access | null;
  /** Where nothing is charged; absent: no limits. */
  visitors?: Visitors;
  log: Logger;
}

/** For all transports. Public methods never throw or reject: a failure is an outcome. */
export class Service {
  readonly counts = new ExplanationCounts();
  /** null: everything is free. */
  readonly access: Access | null;
  readonly explanations: ReturnType<typeof createExplanations>;
  readonly evidence: Record<"alone" | "beside", AnswerKind<Hash, EvidenceAnswer>>;
  /** null: nothing is previewed. */
  readonly previews: PreviewKind | null;
  readonly #openVisitors: Visitors;
  readonly #log: Logger;
  readonly #maker: AnswerMaker;
  #refusals = 0;

  constructor({ explainer, previewer, messages, access, visitors = noLimits, log }: ServiceOptions) {
    this.access = access;
    this.explanations = createExplanations(explainer);
    const evidence = (form: "alone" | "beside") => createEvidence(explainer, form);
    this.evidence = { alone: evidence("alone"), beside: evidence("beside") };
    this.previews = previewer === undefined ? null : createPreviews(previewer, messages);
    this.#openVisitors = visitors;
    this.#log = log;
    this.#maker = new AnswerMaker(log);
  }

  /** Waiting access replaces its visitors when it opens. */
  get #visitors(): Visitors {
    return this.access?.visitors ?? this.#openVisitors;
  }

  async ask<Asked, T extends Sold>(
    answers: AnswerKind<Asked, T>,
    request: AnswerRequest<Asked, T>,
  ): Promise<Outcome<T>> {
    const { access } = this;
    try {
      return await (access === null ? this.#askFree(answers, request) : this.#askPriced(answers, request, access));
    } catch (thrown) {
      return this.fail(thrown, request);
    }
  }

  /** The outcome is known before the first line. */
  async askBatch(request: BatchRequest): Promise<BatchOutcome> {
    const { access, counts, explanations: answers } = this;
    const maker = this.#maker;
    const fail = this.fail.bind(this);
    try {
      const visitors = this.#visitors;
      return await openBatch(request, { access, visitors, answers, maker, counts, fail, log: this.#log });
    } catch (thrown) {
      return this.fail(thrown, request);
    }
  }

  /** Or its price. */
  async sellPass(request: PassRequest): Promise<Sale> {
    try {
      if (this.access === null) throw new ServiceError("payments_not_configured");
      return await sellPass(request, this.access);
    } catch (thrown) {
      return this.fail(thrown, request);
    }
  }

  /** Perhaps before it reached the service. `known`: of an admitted call. */
  async fail(thrown: unknown, { caller, product, transport }: RequestOrigin, known?: Known): Promise<Failed> {
    const client = this.#clientOf(caller);
    const { limits } = this.#visitors;
    const error = limitMistakes(limits, client, toServiceError(thrown));
    const isRead = !(error.cause instanceof CallerGone);
    const told = error.code === "upstream_unavailable";
    if (product !== "pass" && isRead) this.counts.add(error.code);
    if (error.status === 503 && isRead && !told) this.#logRefusal(transport, error);
    const failure = describeFailure(error, this.#log);
    if (this.access === null) {
      countFailure(limits, client, error);
      return { kind: "failed", failure, quota: undefined };
    }
    const { metering } = this.access;
    metering.noteFailure(client, error, known?.worker);
    if (known !== undefined) return { kind: "failed", failure, quota: known.quota };
    try {
      return { kind: "failed", failure, quota: await metering.quota(client) };
    } catch {
      // The ledger does not answer.
      return { kind: "failed", failure, quota: undefined };
    }
  }

  /** Neither answer nor pass. Throws ServiceError `rate_limited`. */
  countMessage(caller: Caller, weight: number): void {
    const { messages } = this.#visitors.limits;
    const client = this.#clientOf(caller);
    checkRate(messages, client);
    messages.spend(client, weight);
  }

  /** Unreadable. Throws ServiceError `rate_limited`. */
  countMistake(caller: Caller): void {
    const { mistakes } = this.#visitors.limits;
    const client = this.#clientOf(caller);
    checkRate(mistakes, client);
    mistakes.spend(client);
  }

  /** Over a proxy that TRUST_PROXY does not name; ms since the epoch; null: none. */
  untrustedForwardingSince(): number | null {
    return this.#visitors.forwarding.untrustedSince();
  }

  /** Of static files. Throws ServiceError `rate_limited`. */
  countStatic(caller: Caller, bytes: number): void {
    const { staticBytes } = this.#visitors;
    const client = this.#clientOf(caller);
    checkRate(staticBytes, client, "Too many bytes of static files within a minute.");
    staticBytes.spend(client, bytes);
  }

  #clientOf(caller: Caller): Client {
    const { forwarding, readClient } = this.#visitors;
    forwarding.isUntrusted(caller);
    return clientOf(caller, readClient);
  }

  async #askFree<Asked, T extends Sold>(
    answers: AnswerKind<Asked, T>,
    request: AnswerRequest<Asked, T>,
  ): Promise<Outcome<T>> {
    const { gatherings, limits } = this.#visitors;
    const client = this.#clientOf(request.caller);
    const read = request.read(false);
    assert("asked" in read, "nobody asks for the price where nothing is metered");
    const known = this.#maker.recall(answers, read.asked);
    if (known !== undefined) return this.#tell(answers, known);
    checkRate(limits.work, client);
    checkRate(gatherings, client, "Too many explanations within a minute.");
    const counted = countWork(limits.work, client);
    gatherings.spend(client);
    const spend = (size: number) => gatherings.spend(client, size - 1);
    const check = () => checkDebt(gatherings, client);
    try {
      const funds = { via: "open", client, spend, check } as const;
      return this.#tell(answers, await this.#maker.make(answers, read.asked, request, funds));
    } finally {
      counted.end(true);
    }
  }

  async #askPriced<Asked, T extends Sold>(
    answers: AnswerKind<Asked, T>,
    request: AnswerRequest<Asked, T>,
    { metering }: Access,
  ): Promise<Outcome<T>> {
    const { caller, isHeld, product, resource } = request;
    const client = this.#clientOf(caller);
    const read = request.read(true);
    if (!("asked" in read)) return metering.quote({ client, product, resource }, read.refusal);
    const { asked, tender } = read;
    const work: Work<T> = {
      known: () => this.#maker.recall(answers, asked),
      run: ({ via, worker }, { grow: spend, check }) =>
        this.#maker.make(answers, asked, request, { via, client: worker, spend, check }),
      bodyOf: ({ body }) => body,
      isHeld,
    };
    const { passToken, payment } = tender ?? {};
    const { isPasted = false } = answers;
    const call = { client, product, resource, request: answers.nameOf(asked), isPasted, passToken, payment };
    return this.#conclude(answers, await chargeFor(metering, call, work), request);
  }

  #conclude<T extends Sold>(
    answers: AnswerKind<never, T>,
    charged: Charged<T>,
    request: RequestOrigin,
  ): Outcome<T> | Promise<Outcome<T>> {
    if (charged.kind === "challenged") return charged;
    if (charged.kind === "failed") return this.fail(charged.cause, request, charged);
    if (charged.kind === "done") {
      const { result: answer, quota, held } = charged;
      return held ? { kind: "answered", answer, quota } : this.#tell(answers, answer, quota);
    }
    const { result } = charged;
    const bought = { ...toBought(charged, result !== null), source: result?.source };
    this.counts.add(result === null ? answers.resultIn(bought.body) : answers.resultOf(result));
    return bought;
  }

  #tell<T extends Sold>(answers: AnswerKind<never, T>, answer: T, quota?: Quota): Outcome<T> {
    this.counts.add(answers.resultOf(answer));
    return { kind: "answered", answer, quota };
  }

  /** A flood of refusals is no flood of lines. */
  #logRefusal(transport: RequestOrigin["transport"], error: ServiceError): void {
    const { code: outcome } = error;
    const isOne = outcome === "overloaded" && this.#refusals++ % refusalsPerLine !== 0;
    if (isOne) return;
    const of = outcome === "overloaded" ? { one_of: refusalsPerLine } : {};
    const why = error.cause === undefined ? {} : { cause: codesOf(error.cause) };
    this.#log.warn({ event: "refused", transport, outcome, ...of, ...why });
  }
}

async function sellPass(request: PassRequest, { metering, visitors }: Access): Promise<Sale> {
  const { caller, product, resource } = request;
  const client = clientOf(caller, visitors.readClient);
  const isForwarded = visitors.forwarding.isUntrusted(caller);
  const call: PricedCall = { client, product, resource, request: "", isForwarded, ...request.read() };
  const admission = await metering.admit(call);
  if (admission.kind === "challenged") return admission;
  assert(admission.kind === "delivered" && admission.receipt !== null, "a pass is paid for, or its price is told");
  return toBought({ ...admission, receipt: admission.receipt }, true);
}

type Known = { quota: Quota; worker: Client };

/** For one log line. */
const refusalsPerLine = 1000;

/** Only its owner can reach it. */
const noLimits: Visitors = openVisitors({ rateLimitPerMinute: 0, openCallsPerMinute: 0, trustProxy: [] });

function toBought(
  { body, receipt, quota }: Omit<Bought, "kind" | "body" | "content" | "fresh"> & { body: Buffer | string },
  fresh: boolean,
): Bought {
  const text = body.toString();
  return { kind: "bought", body: text, content: () => JSON.parse(text) as object, fresh, receipt, quota };
}
