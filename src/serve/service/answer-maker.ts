import { CallerGone } from "../../gather/explain/shared-runs.ts";
import type { Asker } from "../../kernel/asker.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { LogFields, Logger } from "../../kernel/logger.ts";
import type { Client } from "../access/quota/client-address.ts";
import type { AnswerKind, Sold } from "./answer-kind.ts";
import type { RequestOrigin } from "./service-request.ts";

/** With logs; knows no prices. */
export class AnswerMaker {
  readonly #log: Logger;
  #hits = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  recall<Asked, T extends Sold>(answers: AnswerKind<Asked, T>, asked: Asked): T | undefined {
    const answer = answers.known(asked);
    if (answer !== undefined && this.#hits++ % hitsPerLine === 0)
      this.#log.info({ event: "hit", ...answers.fieldsOf(asked), one_of: hitsPerLine });
    return answer;
  }

  /** Rejects with ServiceError. */
  async make<Asked, T extends Sold>(
    answers: AnswerKind<Asked, T>,
    asked: Asked,
    { caller, transport }: Pick<RequestOrigin, "caller" | "transport">,
    { via, client, free = via === "free", spend, check }: Funds,
  ): Promise<T> {
    const started = performance.now();
    const passed = () => Math.round(performance.now() - started);
    const fields = answers.fieldsOf(asked);
    const asker: Asker = { client, free, ...(spend && { spend }), ...(check && { check }) };
    const answer = await answers.make(asked, caller.gone?.(), asker).catch((error: unknown) => {
      this.#tellUpstream(error, { transport, ...fields, ms: passed() });
      throw error;
    });
    const ms = passed();
    this.#log.info({ event: answers.event, transport, ...fields, outcome: answers.resultOf(answer), via, ms });
    return answer;
  }

  /** The message names hosts and their problems. */
  #tellUpstream(error: unknown, fields: LogFields): void {
    if (!(error instanceof ServiceError) || error.code !== "upstream_unavailable") return;
    if (error.cause instanceof CallerGone) return;
    this.#log.warn({ event: "refused", ...fields, outcome: error.code, cause: error.message });
  }
}

export interface Funds {
  via: "open" | "free" | "pass" | "payment" | "batch";
  client: Client;
  /** Where others pay. */
  free?: boolean;
  spend?: Asker["spend"];
  check?: Asker["check"];
}

/** A line each would cost more than the answer. */
const hitsPerLine = 1000;
