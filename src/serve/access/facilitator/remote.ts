import type { FacilitatorClient } from "@x402/core/server";
import { type PaymentPayload, type PaymentRequirements, VerifyError } from "@x402/core/types";
import { isJsonObject, parseJson } from "../../../kernel/canonical.ts";

export interface RemoteFacilitatorOptions {
  /** No slash at the end. */
  url: string;
  /** Further headers of one request. */
  headersFor?: (method: "GET" | "POST", path: string) => Promise<Record<string, string>>;
  /** Until the answer is read. */
  timeoutMs?: number;
}

interface Answer {
  status: number;
  /** Empty: no JSON object. */
  body: Record<string, unknown>;
}

/** @x402/core 2.27 reads answers of any length; here {@link answerBytesMax}. Not believed: the chain decides. */
export function openRemoteFacilitator(options: RemoteFacilitatorOptions): FacilitatorClient {
  const { url, headersFor = async () => ({}), timeoutMs = requestTimeoutMs } = options;

  async function ask(method: "GET" | "POST", path: string, sent?: object): Promise<Answer> {
    const headers = { "content-type": "application/json", ...(await headersFor(method, path)) };
    const signal = AbortSignal.timeout(timeoutMs);
    const body = sent === undefined ? null : JSON.stringify(sent);
    const response = await fetch(`${url}/${path}`, { method, headers, body, signal });
    return { status: response.status, body: await readObject(response) };
  }

  const post = (path: string, paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements) =>
    ask("POST", path, { x402Version: paymentPayload.x402Version, paymentPayload, paymentRequirements });

  return {
    async verify(...payment) {
      const { status, body } = await post("verify", ...payment);
      const { isValid } = body;
      const reason = textOf(body.invalidReason);
      const verdict = { isValid: isValid === true, ...(reason === undefined ? {} : { invalidReason: reason }) };
      if (typeof isValid !== "boolean") throw noAnswer("verify", status);
      if (!isGood(status)) throw new VerifyError(status, verdict);
      return verdict;
    },
    async settle(...payment) {
      const { status, body } = await post("settle", ...payment);
      const { success, transaction } = body;
      if (!isGood(status) || typeof success !== "boolean") throw noAnswer("settle", status);
      const reason = textOf(body.errorReason);
      const { network } = payment[1];
      return { success, network, transaction: textOf(transaction) ?? "", ...(reason && { errorReason: reason }) };
    },
    async getSupported() {
      const { status, body } = await ask("GET", "supported");
      if (!isGood(status) || !Array.isArray(body.kinds)) throw noAnswer("supported", status);
      return { kinds: body.kinds.filter(isJsonObject), extensions: [], signers: {} } as never;
    },
  };
}

/** Settling waits for a block. */
const requestTimeoutMs = 30_000;
/** The longest list of a large facilitator is far shorter. */
const answerBytesMax = 1024 * 1024;

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > answerBytesMax)
      throw Object.assign(new Error("the answer is too long"), { code: "facilitator_too_long" });
    chunks.push(chunk);
  }
  const value = parseJson(Buffer.concat(chunks).toString());
  return isJsonObject(value) ? value : {};
}

const isGood = (status: number) => status >= 200 && status < 300;
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
/** For the log: no text of a facilitator. */
const noAnswer = (path: string, status: number) =>
  Object.assign(new Error(`the facilitator's ${path} is no answer (${status})`), { code: `facilitator_${status}` });
