import { type Address, readAddress } from "../../kernel/address.ts";
import type { Asker } from "../../kernel/asker.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import { ServiceError } from "../../kernel/error.ts";
import { digestOf } from "../../kernel/hash.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { MessageDecision, MessageExplanation } from "../../model/told/message-explanation.ts";
import type { AskedForms } from "../../rules/typed-data/asked.ts";
import { refuseLarge } from "../../rules/typed-data/typed-data.ts";
import { TypedDataError } from "../../rules/typed-data/typed-data-error.ts";
import { runInTime, tagged } from "../explain/explain.ts";
import { createWorkQueue, type WorkQueueOptions } from "../explain/work-queue.ts";
import type { LookUp } from "../lookup/lookup.ts";
import type { EndpointPool } from "../network/rpc/endpoint-pool.ts";
import { readChainState } from "./chain-state.ts";
import { requestDraft } from "./preview-draft.ts";
import { type PreviewRequest, unknownField } from "./preview-request.ts";
import { fillIn } from "./unsigned-transaction.ts";

/** One of the three forms. */
export interface MessageQuestion extends AskedForms {
  from: Address;
}

/** `body`: UTF-8 JSON; `etag`: its quoted hash. */
export interface MessageAnswer {
  source: "network";
  message: MessageExplanation;
  body: Buffer;
  etag: string;
}

type MessageFacts = Partial<Pick<CaseFile, "tokens" | "reads" | "risk">> & { block_number?: number; nonce?: number };

export interface MessagePreviewerOptions {
  pool: EndpointPool;
  /** Pure. Throws TypedDataError. */
  plan(input: MessageQuestion): LookupPlan;
  lookUp: LookUp;
  /** Pure. Throws TypedDataError. */
  decide(input: MessageQuestion & MessageFacts): MessageDecision;
  /** For one message, with the wait for a place. */
  deadlineMs?: number;
  work?: WorkQueueOptions;
}

/** What a signature would allow. */
export interface MessagePreviewer {
  /**
   * Without an endpoint: by its content alone, checks `unavailable`. Rejects with ServiceError `invalid_typed_data`, `other_chain` or
   * `overloaded`.
   */
  explain(question: MessageQuestion, signal?: AbortSignal, asker?: Asker): Promise<MessageAnswer>;
}

const forms = ["typed_data", "authorization", "user_operation"] as const;
const known: ReadonlySet<string> = new Set(["from", "entry_point", ...forms]);

export function asksAboutMessage(fields: Readonly<Record<string, unknown>>): boolean {
  return forms.some((form) => Object.hasOwn(fields, form));
}

/** schemas/preview-request.schema.json. Throws ServiceError `invalid_preview`, or `invalid_typed_data` where too large. */
export function readMessageQuestion(fields: Readonly<Record<string, unknown>>): MessageQuestion {
  for (const name in fields)
    if (!known.has(name)) throw new ServiceError("invalid_preview", `The message holds ${unknownField(name)}.`);
  const from = readAddress(fields.from);
  if (from === undefined) throw new ServiceError("invalid_preview", "from is not 0x followed by 40 hex digits.");
  told(() => Object.values(fields).forEach(refuseLarge));
  return { ...fields, from };
}

/** In the ledger; equal questions share it. */
export function nameOfMessage(question: MessageQuestion): string {
  return `message:${digestOf(canonicalJson(question))}`;
}

export function createMessagePreviewer(options: MessagePreviewerOptions): MessagePreviewer {
  const { pool, plan, lookUp, decide, deadlineMs = 8_000 } = options;
  const queue = createWorkQueue(options.work ?? { runningMax: 32, waitingMax: 128 });

  async function gather(question: MessageQuestion, wanted: LookupPlan, signal: AbortSignal): Promise<MessageFacts> {
    const found = await pool.tryEach<MessageFacts>(async (endpoint) => {
      const chainState = await readChainState(endpoint, question.from, signal);
      if (chainState === undefined) return undefined;
      const draft = requestDraft({ transaction: fillIn(nothingFrom(question.from), chainState), chainState });
      const { tokens, reads, risk } = await lookUp({ draft, endpoint, asked: [] }, wanted, signal);
      const place = { block_number: Number(chainState.number), nonce: Number(chainState.nonce) };
      return { tokens, reads, ...(risk && { risk }), ...place };
    }, signal);
    return found ?? {};
  }

  return {
    async explain(question, signal, asker) {
      const wanted = told(() => plan(question));
      const ended = signal ?? new AbortController().signal;
      const facts = await runInTime(queue, { deadlineMs, ended, asker }, (gathering) =>
        gather(question, wanted, gathering),
      );
      const { explanation } = told(() => decide({ ...question, ...facts }));
      return { source: "network", message: explanation, ...tagged(JSON.stringify(explanation)) };
    },
  };
}

/** Lookups need one, for their block. */
function nothingFrom(from: Address): PreviewRequest {
  return { from, to: from, value: 0n, data: "0x", gas: null, nonce: null, authorizations: [] };
}

/** TypedDataError becomes ServiceError. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypedDataError) throw new ServiceError(error.code, error.message);
    throw error;
  }
}
