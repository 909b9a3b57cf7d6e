import type { PricedCall, Quota } from "../access/admission.ts";
import type { Access } from "../access/open.ts";
import type { Client } from "../access/quota/client-address.ts";
import { checkRate, countFailure } from "../access/quota/rate-limit.ts";
import { openVisitors, type Visitors } from "../access/quota/visitors.ts";
import type { Answer, Explainer } from "../explain/explain.ts";
import { CallerGone } from "../explain/flights.ts";
import { assert, type ErrorCode, ServiceError } from "../kernel/error.ts";
import type { Hash } from "../kernel/hex.ts";
import type { LogFields, Logger } from "../kernel/logger.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import { type Caller, clientOf } from "./caller.ts";
import { ExplanationCounts } from "./explanation-counts.ts";
import { describeFailure, toServiceError } from "./failure.ts";
import type { Bought, Failed, Outcome, Sale } from "./outcome.ts";
import { type Charged, chargeFor, type Work } from "./priced-work.ts";
import type { ExplainRequest, PassRequest, RequestOrigin } from "./service-request.ts";

export interface ServiceOptions {
  explainer: Explainer;
  /** null: everything is free. */
  access: Access | null;
  /** Who asks where nothing is charged, and how much each may. Without it nobody is limited. */
  visitors?: Visitors;
  log: Logger;
}

/**
 * Explain, meter, time and log: once for all transports. No public method throws or rejects: a failure is an outcome too.
 */
export class Service {
  readonly counts = new ExplanationCounts();
  /** null: everything is free. */
  readonly access: Access | null;
  readonly #explainer: Explainer;
  readonly #openVisitors: Visitors;
  readonly #log: Logger;
  #hits = 0;
  #refusals = 0;

  constructor({ explainer, access, visitors = noLimits, log }: ServiceOptions) {
    this.access = access;
    this.#explainer = explainer;
    this.#openVisitors = visitors;
    this.#log = log;
  }

  /** Access that waits for its ledger changes them when it opens. */
  get #visitors(): Visitors {
    return this.access?.visitors ?? this.#openVisitors;
  }

  /** Explains one transaction. A remembered answer comes in the same turn. */
  explain(request: ExplainRequest): MaybePromise<Outcome> {
    const { access } = this;
    return guard<Outcome>(
      () => (access === null ? this.#explainFree(request) : this.#explainPriced(request, access)),
      (thrown) => this.fail(thrown, request),
    );
  }

  /** Sells a pass, or tells its price. */
  sellPass(request: PassRequest): MaybePromise<Sale> {
    const { access } = this;
    return guard<Sale>(
      () => {
        if (access !== null) return sellPass(request, access);
        checkRate(this.#visitors.rate, this.#clientOf(request.caller));
        throw new ServiceError("payments_not_configured");
      },
      (thrown) => this.fail(thrown, request),
    );
  }

  /** The outcome of a request that failed, perhaps before it came here, for example because its body is too large. */
  fail(thrown: unknown, { caller, product, transport }: RequestOrigin, known?: Quota): MaybePromise<Failed> {
    const error = toServiceError(thrown);
    const isRead = !(error.cause instanceof CallerGone);
    const told = error.code === "upstream_unavailable";
    if (product === "explain" && isRead) this.counts.add(error.code);
    if (error.status === 503 && isRead && !told) this.#logRefusal(transport, error.code);
    const failure = describeFailure(error, this.#log);
    const client = this.#clientOf(caller);
    if (this.access === null) {
      countFailure(this.#visitors.rate, client, error);
      return { kind: "failed", failure, quota: undefined };
    }
    const { metering } = this.access;
    metering.noteFailure(client, error);
    if (known !== undefined) return { kind: "failed", failure, quota: known };
    return guard<Failed>(
      () => andThen(metering.quota(client), (quota) => ({ kind: "failed", failure, quota })),
      // The ledger does not answer. The failure is told without the quota.
      () => ({ kind: "failed", failure, quota: undefined }),
    );
  }

  /** Counts a message that asks for no explanation and no pass. Throws ServiceError `rate_limited` where there were too many. */
  countMessage(caller: Caller, weight: number): void {
    const { rate } = this.#visitors;
    const client = this.#clientOf(caller);
    checkRate(rate, client);
    rate.spend(client, weight);
  }

  #clientOf(caller: Caller): Client {
    return clientOf(caller, this.#visitors.readClient);
  }

  #explainFree(request: ExplainRequest): MaybePromise<Outcome> {
    const { gatherings, rate } = this.#visitors;
    const client = this.#clientOf(request.caller);
    checkRate(rate, client);
    const asked = request.read(false);
    assert(asked !== null, "nobody asks for the price where nothing is metered");
    const known = this.#recall(asked.hash);
    if (known !== undefined) return this.#tell(known);
    checkRate(gatherings, client, "Too many explanations within a minute.");
    gatherings.spend(client);
    return this.#run(asked.hash, request, "open").then((answer) => this.#tell(answer));
  }

  #explainPriced(request: ExplainRequest, { metering }: Access): MaybePromise<Outcome> {
    const { caller, isHeld, product, resource } = request;
    const client = this.#clientOf(caller);
    metering.checkRate(client);
    const asked = request.read(true);
    if (asked === null) return metering.quote({ client, product, resource });
    const { hash, tender } = asked;
    const work: Work<Answer> = {
      known: () => this.#recall(hash),
      run: (via) => this.#run(hash, request, via),
      bodyOf: ({ body }) => body,
      isHeld,
    };
    const { passToken, payment } = tender ?? {};
    const call: PricedCall = { client, product, resource, request: hash, passToken, payment };
    return andThen(chargeFor(metering, call, work), (charged) => this.#conclude(charged, request));
  }

  #conclude(charged: Charged<Answer>, request: ExplainRequest): MaybePromise<Outcome> {
    if (charged.kind === "challenged") return charged;
    if (charged.kind === "failed") return this.fail(charged.cause, request, charged.quota);
    if (charged.kind === "done") {
      const { result: answer, quota, held } = charged;
      return held ? { kind: "answered", answer, quota } : this.#tell(answer, quota);
    }
    const bought = { ...toBought(charged, charged.result !== null), source: charged.result?.source };
    this.counts.add((bought.content as Answer["explanation"]).status);
    return bought;
  }

  #tell(answer: Answer, quota?: Quota): Outcome {
    this.counts.add(answer.explanation.status);
    return { kind: "answered", answer, quota };
  }

  #recall(hash: Hash): Answer | undefined {
    const answer = this.#explainer.cached(hash);
    if (answer !== undefined && this.#hits++ % hitsPerLine === 0)
      this.#log.info({ event: "hit", tx_hash: hash, one_of: hitsPerLine });
    return answer;
  }

  async #run(hash: Hash, { caller, transport }: RequestOrigin, via: string): Promise<Answer> {
    const started = performance.now();
    const passed = () => Math.round(performance.now() - started);
    const answer = await this.#explainer.explain(hash, caller.gone?.()).catch((error: unknown) => {
      this.#tellUpstream(error, { transport, tx_hash: hash, ms: passed() });
      throw error;
    });
    const ms = passed();
    this.#log.info({ event: "explain", transport, tx_hash: hash, outcome: answer.explanation.status, via, ms });
    return answer;
  }

  /** A flood that is refused at once must not become a flood of lines. */
  #logRefusal(transport: RequestOrigin["transport"], outcome: ErrorCode): void {
    const isOne = outcome === "overloaded" && this.#refusals++ % refusalsPerLine !== 0;
    if (isOne) return;
    const of = outcome === "overloaded" ? { one_of: refusalsPerLine } : {};
    this.#log.warn({ event: "refused", transport, outcome, ...of });
  }

  /** The message names each endpoint by its host, and what is wrong with it. */
  #tellUpstream(error: unknown, fields: LogFields): void {
    if (!(error instanceof ServiceError) || error.code !== "upstream_unavailable") return;
    if (error.cause instanceof CallerGone) return;
    this.#log.warn({ event: "refused", ...fields, outcome: error.code, cause: error.message });
  }
}

function sellPass(request: PassRequest, { metering, visitors }: Access): MaybePromise<Sale> {
  const { caller, product, resource } = request;
  const client = clientOf(caller, visitors.readClient);
  metering.checkRate(client);
  const call: PricedCall = { client, product, resource, request: "", ...request.read() };
  return andThen(metering.admit(call), (admission): Sale => {
    if (admission.kind === "challenged") return admission;
    assert(admission.kind === "delivered" && admission.receipt !== null, "a pass is paid for, or its price is told");
    return toBought({ ...admission, receipt: admission.receipt }, true);
  });
}

/** One line for so many remembered answers: a line for each would cost more than the answer. */
const hitsPerLine = 1000;
const refusalsPerLine = 1000;

/** For a service that nobody but its owner reaches. */
const noLimits: Visitors = openVisitors({ rateLimitPerMinute: 0, openCallsPerMinute: 0, trustProxy: [] });

function toBought(
  { body, receipt, quota }: Omit<Bought, "kind" | "body" | "content" | "fresh"> & { body: Buffer | string },
  fresh: boolean,
): Bought {
  const text = body.toString();
  return { kind: "bought", body: text, content: JSON.parse(text) as object, fresh, receipt, quota };
}

/** Runs `work`. If it throws or rejects, `otherwise` gives the value. */
function guard<T>(work: () => MaybePromise<T>, otherwise: (thrown: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (thrown) {
    return otherwise(thrown);
  }
}
