import type { PricedCall, Quota } from "../access/metering.ts";
import type { Access } from "../access/open.ts";
import type { ResourcePath } from "../access/payment/offers.ts";
import type { Payment } from "../access/payment/payment.ts";
import type { Answer, Explainer } from "../explain/explain.ts";
import { assert, ServiceError } from "../kernel/error.ts";
import type { Hash } from "../kernel/hex.ts";
import type { Logger } from "../kernel/logger.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import { type Caller, clientOf, type Tender } from "./caller.ts";
import { ExplanationCounts } from "./explanation-counts.ts";
import { describeFailure, toServiceError } from "./failure.ts";
import type { Bought, Failed, Outcome, Sale } from "./outcome.ts";
import { type Charged, chargeFor, type Work } from "./priced-work.ts";

/** Where a request comes from. */
export interface RequestOrigin {
  readonly transport: "http" | "mcp";
  readonly product: PricedCall["product"];
  readonly resource: ResourcePath;
  readonly caller: Caller;
}

export interface ExplainRequest extends RequestOrigin {
  /**
   * Reads what is asked for; called after the rate limit. The tender is read only where calls are metered. null: the caller asks
   * for the price. Throws ServiceError.
   */
  read(metered: boolean): { hash: Hash; tender?: Tender } | null;
  /** Whether the caller has this answer already. */
  isHeld(answer: Answer): boolean;
}

export interface PassRequest extends RequestOrigin {
  /** Reads the payment; called after the rate limit. Throws ServiceError. */
  read(): Payment | undefined;
}

/**
 * Explain, meter, time and log: once for all transports. No public method throws or rejects: a failure is an outcome too.
 */
export class Service {
  readonly counts = new ExplanationCounts();
  /** null: everything is free. */
  readonly access: Access | null;
  readonly #explainer: Explainer;
  readonly #log: Logger;
  #hits = 0;

  constructor({ explainer, access, log }: { explainer: Explainer; access: Access | null; log: Logger }) {
    this.access = access;
    this.#explainer = explainer;
    this.#log = log;
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
    if (access === null) return this.fail(new ServiceError("payments_not_configured"), request);
    return guard<Sale>(
      () => sellPass(request, access),
      (thrown) => this.fail(thrown, request),
    );
  }

  /** The outcome of a request that failed, perhaps before it came here, for example because its body is too large. */
  fail(thrown: unknown, { caller, product, transport }: RequestOrigin, known?: Quota): MaybePromise<Failed> {
    const error = toServiceError(thrown);
    if (product === "explain") this.counts.add(error.code);
    if (error.status === 503) this.#log.warn({ event: "refused", transport, outcome: error.code });
    const failure = describeFailure(error, this.#log);
    if (this.access === null) return { kind: "failed", failure, quota: undefined };
    const { metering, readClient } = this.access;
    const client = clientOf(caller, readClient);
    metering.noteFailure(client, error);
    if (known !== undefined) return { kind: "failed", failure, quota: known };
    return guard<Failed>(
      () => andThen(metering.quota(client), (quota) => ({ kind: "failed", failure, quota })),
      // The ledger does not answer. The failure is told without the quota.
      () => ({ kind: "failed", failure, quota: undefined }),
    );
  }

  #explainFree({ read, transport }: ExplainRequest): MaybePromise<Outcome> {
    const asked = read(false);
    assert(asked !== null, "nobody asks for the price where nothing is metered");
    const known = this.#recall(asked.hash);
    if (known !== undefined) return this.#tell(known);
    return this.#run(asked.hash, transport, "open").then((answer) => this.#tell(answer));
  }

  #explainPriced(request: ExplainRequest, { metering, readClient }: Access): MaybePromise<Outcome> {
    const { caller, isHeld, product, resource, transport } = request;
    const client = clientOf(caller, readClient);
    metering.checkRate(client);
    const asked = request.read(true);
    if (asked === null) return metering.quote({ client, product, resource });
    const { hash, tender } = asked;
    const work: Work<Answer> = {
      known: () => this.#recall(hash),
      run: (via) => this.#run(hash, transport, via),
      bodyOf: ({ body }) => body,
      isHeld,
    };
    const call: PricedCall = { client, product, resource, request: hash, ...tender };
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

  async #run(hash: Hash, transport: RequestOrigin["transport"], via: string): Promise<Answer> {
    const started = performance.now();
    const answer = await this.#explainer.explain(hash);
    const ms = Math.round(performance.now() - started);
    this.#log.info({ event: "explain", transport, tx_hash: hash, outcome: answer.explanation.status, via, ms });
    return answer;
  }
}

function sellPass(request: PassRequest, { metering, readClient }: Access): MaybePromise<Sale> {
  const { caller, product, resource } = request;
  const client = clientOf(caller, readClient);
  metering.checkRate(client);
  const call: PricedCall = { client, product, resource, request: "", payment: request.read() };
  return andThen(metering.admit(call), (admission): Sale => {
    if (admission.kind === "challenged") return admission;
    assert(admission.kind === "delivered" && admission.receipt !== null, "a pass is paid for, or its price is told");
    return toBought({ ...admission, receipt: admission.receipt }, true);
  });
}

/** One line for so many remembered answers: a line for each would cost more than the answer. */
const hitsPerLine = 1000;

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
