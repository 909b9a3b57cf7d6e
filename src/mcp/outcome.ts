import type { Challenged, Quota } from "../access/admission.ts";
import type { Challenge } from "../access/payment/offers.ts";
import type { PaymentReceipt } from "../access/payment/payment-result.ts";

/** One block of a tool's answer, as the protocol has it. */
export interface Content {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** A tool's answer without what the protocol adds to it. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: object;
  readonly isError?: true;
}

/** What a call came to, the same whichever lane it took. */
export interface Outcome {
  readonly result: ToolResult;
  /** The fields of `result` as JSON, one character a byte of UTF-8: kept with what is told often. */
  readonly ready?: string;
  /** For `result._meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Set when a payment is asked for. */
  readonly challenge?: Challenge;
  /** Set when something was paid. */
  readonly receipt?: PaymentReceipt;
  /** Where the client stands; absent where nothing is metered. */
  readonly quota?: Quota;
}

/** An answer with structured content: a sentence, the JSON, and the same JSON as an object. */
export function tell(sentence: string, json: string, structuredContent: object): Outcome {
  return { result: { content: [toText(sentence), toText(json)], structuredContent } };
}

/** Asks for a payment inside of a result, as x402 has it for MCP: the challenge as an object and as the first text. */
export function askForPayment({ challenge, quota }: Challenged): Outcome {
  const content = [toText(challenge.body.toString())];
  return { result: { content, structuredContent: challenge.required, isError: true }, challenge, quota };
}

/** The fields of a result as JSON, one character a byte. The order is that of the SDK, so that both lanes give the same bytes. */
export function writeFields({ content, structuredContent, isError }: ToolResult): string {
  const fields = [`"content":${JSON.stringify(content)}`];
  if (structuredContent !== undefined) fields.push(`"structuredContent":${JSON.stringify(structuredContent)}`);
  if (isError) fields.push('"isError":true');
  return toByteText(fields.join(","));
}

/** Text whose characters are the bytes of its UTF-8: Node writes such a string together with the head of the answer. */
export function toByteText(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString("latin1");
}

export function toText(text: string): Content {
  return { type: "text", text };
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
