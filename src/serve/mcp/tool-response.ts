import type { Challenge } from "../access/payment/offers.ts";
import type { AnswerKind, Sold } from "../service/answer-kind.ts";
import type { Bought, Failed, Outcome } from "../service/outcome.ts";
import { type Headers, paymentHeaders, quotaHeaders } from "../service/payment-headers.ts";

/** MCP content block. */
export interface Content {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** Without the protocol's fields. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: object;
  readonly isError?: true;
}

export interface ToolResponse {
  readonly result: ToolResult;
  /** For `result._meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Set when the caller has to pay. */
  readonly challenge?: Challenge;
  readonly headers?: Headers;
}

/** `sentence`: the result in one sentence. `shorten`: of the response only; what is bought is the whole answer. */
export function createToolResponder<T extends Sold>(
  { contentOf }: Pick<AnswerKind<never, T>, "contentOf">,
  sentence: (content: object) => string,
  shorten?: (content: object) => object,
): (outcome: Outcome<T>) => ToolResponse {
  const made = new WeakMap<T, ToolResponse>();
  const tell = (content: object, body: () => string): ToolResult => {
    if (shorten === undefined) return toResult(sentence(content), body(), content);
    const short = shorten(content);
    return toResult(sentence(content), JSON.stringify(short), short);
  };

  function respond(answer: T): ToolResponse {
    const known = made.get(answer);
    if (known !== undefined) return known;
    const result = tell(contentOf(answer), () => answer.body.toString());
    const meta = markOf(answer.source);
    const response = { result, meta };
    made.set(answer, response);
    return response;
  }

  return (outcome) => {
    if (outcome.kind === "failed") return toFailure(outcome);
    if (outcome.kind === "answered") {
      const response = respond(outcome.answer);
      const { quota } = outcome;
      if (quota === undefined) return response;
      const { result, meta: mark } = response;
      const meta = quota.pass === undefined ? mark : { ...mark, "svc/pass": quota.pass };
      return { result, meta, headers: quotaHeaders(quota) };
    }
    const headers = paymentHeaders(outcome);
    if (outcome.kind === "bought") return { ...toPaid(outcome, tell), headers };
    const { challenge } = outcome;
    // x402 for MCP: as object, and first text.
    const content = [toText(challenge.body.toString())];
    return { result: { content, structuredContent: challenge.required, isError: true }, challenge, headers };
  };
}

function toPaid(
  { body, content, receipt, source }: Bought,
  tell: (content: object, body: () => string) => ToolResult,
): ToolResponse {
  const meta = { ...markOf(source), "x402/payment-response": receipt };
  return { result: tell(content(), () => body), meta };
}

/** From a recording: no endpoint had the transaction. */
function markOf(source: Sold["source"] | undefined): Record<string, unknown> | undefined {
  return source === "recording" ? { "txgloss/source": source } : undefined;
}

/** A sentence that begins with the error code, then HTTP's object. Not structured: some clients check it against the output schema. */
function toFailure({ failure: { body }, quota }: Failed): ToolResponse {
  const sentence = `${body.error}: ${body.message}${body.retryable ? " The same call may succeed later." : ""}`;
  const result: ToolResult = { content: [toText(sentence), toText(JSON.stringify(body))], isError: true };
  return quota === undefined ? { result } : { result, headers: quotaHeaders({ free: quota.free }) };
}

function toResult(sentence: string, json: string, structuredContent: object): ToolResult {
  return { content: [toText(sentence), toText(json)], structuredContent };
}

function toText(text: string): Content {
  return { type: "text", text };
}
