import type { Challenge } from "../access/payment/offers.ts";
import type { AnswerKind, Sold } from "../service/answer-kind.ts";
import type { Bought, Failed, Outcome } from "../service/outcome.ts";
import { type HeaderPairs, paymentHeaders, quotaHeaders } from "../service/payment-headers.ts";

/** One content block of a tool's result, as the protocol defines it. */
export interface Content {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** A tool's result without the fields that the protocol adds. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: object;
  readonly isError?: true;
}

/** The answer of a tool: its result, and what is sent with it. */
export interface ToolResponse {
  readonly result: ToolResult;
  /** For `result._meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Set when the caller has to pay. */
  readonly challenge?: Challenge;
  readonly headers?: HeaderPairs;
}

/**
 * Makes a function that turns outcomes of the service into responses. `sentence`: tells the result in one sentence. `shorten`: leaves some
 * of the content out of the response; what is bought is always the whole answer.
 */
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
    // x402 for MCP wants the challenge as an object, and as the first text.
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

/** The field of `_meta` that marks an answer made from a recording, because no endpoint gave the transaction. */
function markOf(source: Sold["source"] | undefined): Record<string, unknown> | undefined {
  return source === "recording" ? { "txgloss/source": source } : undefined;
}

/**
 * The response of a failure: a sentence that begins with the error code, then the object that HTTP would send. It has no structured
 * content, because some clients check that against the output schema even in an error.
 */
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
