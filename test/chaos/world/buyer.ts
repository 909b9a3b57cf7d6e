import { x402Client } from "@x402/core/client";
import type { PaymentPayload, PaymentRequired } from "@x402/core/types";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { type McpClient, mcpClients } from "../../support/mcp-client.ts";
import { encode, nonceOf } from "../../support/payer.ts";

export type Via = "http" | "mcp";

/** What a client asks for: an explanation of this transaction, or a pass. */
export type Wish = { product: "explain"; hash: Hash } | { product: "pass" };

/** An answer, or the lack of one, alike for both ways. */
export interface Reply {
  /** The HTTP status; over MCP, the status that HTTP would have. 0 when no answer came. */
  status: number;
  /** The error code of the body, if it has one. */
  error: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: read by scenarios that know what to expect.
  body: any;
}

/** A payment that the official client signed. */
export interface SignedPayment {
  payload: PaymentPayload;
  payer: PrivateKeyAccount;
  nonce: Hex;
}

/** What is shown with a request. */
export interface Proof {
  payment?: SignedPayment | undefined;
  passToken?: string | undefined;
}

/** How many milliseconds a client waits for an answer. */
const patienceMs = 60_000;

export interface SendOptions extends Proof {
  via?: Via;
  /** Ends the request early, like a client that loses its connection. */
  signal?: AbortSignal;
}

/** Sends a request to a replica. Never rejects: a broken connection is a reply with status 0. */
export async function send(url: string, wish: Wish, options: SendOptions = {}): Promise<Reply> {
  const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(options.signal ? [options.signal] : [])]);
  const ask = options.via === "mcp" ? askMcp : askHttp;
  try {
    return await ask(url, wish, { ...options, signal });
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    return { status: 0, error: `no answer${cause ? ` (${cause})` : ""}`, body: null };
  }
}

/** Lets the official client sign a payment for the terms of a 402. */
export async function signFor(payer: PrivateKeyAccount, required: PaymentRequired): Promise<SignedPayment> {
  const client = new x402Client();
  client.setSpendControls({ maxAmountPerPayment: "$10" });
  registerExactEvmScheme(client, { signer: payer });
  const payload = await client.createPaymentPayload(required);
  return { payload, payer, nonce: nonceOf(payload) };
}

/** Asks for the price and signs the payment. Gives undefined when the replica did not give a price. */
export async function sign(
  url: string,
  wish: Wish,
  { payer, via = "http" }: { payer: PrivateKeyAccount; via?: Via },
): Promise<SignedPayment | undefined> {
  const reply = await send(url, wish, { via });
  return reply.status === 402 ? signFor(payer, reply.body) : undefined;
}

async function askHttp(url: string, wish: Wish, { payment, passToken, signal }: SendOptions): Promise<Reply> {
  const headers: Record<string, string> = {};
  if (wish.product === "explain") headers["content-type"] = "application/json";
  if (payment !== undefined) headers["payment-signature"] = encode(payment.payload);
  if (passToken !== undefined) headers["x-svc-pass"] = passToken;
  const body = wish.product === "explain" ? JSON.stringify({ tx_hash: wish.hash }) : null;
  const response = await fetch(`${url}/${wish.product}`, { method: "POST", headers, body, signal: signal ?? null });
  const told = (await response.json()) as { error?: string };
  return { status: response.status, error: response.ok ? null : (told.error ?? null), body: told };
}

/** The open connections of the official clients to each replica. One that could not be opened is tried again. */
const connections = new Map<string, Promise<McpClient>>();
const clientNames = Object.keys(mcpClients);
let turn = 0;

async function askMcp(url: string, wish: Wish, { payment, passToken, signal }: SendOptions): Promise<Reply> {
  const client = await connect(url);
  const meta = {
    ...(payment !== undefined && { "x402/payment": payment.payload }),
    ...(passToken !== undefined && { "svc/pass": passToken }),
  };
  const call =
    wish.product === "explain"
      ? client.call("explain_transaction", { tx_hash: wish.hash }, meta)
      : client.call("buy_pass", {}, meta);
  const aborted = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new Error("given up")), { once: true });
  });
  for (const either of [call, aborted]) either.catch(() => {});
  const { isError, structuredContent: body, content } = await Promise.race([call, aborted]);
  if (isError !== true) return { status: 200, error: null, body };
  const told = body ?? JSON.parse(content.at(-1)?.text ?? "null");
  if (told?.x402Version !== undefined) return { status: 402, error: told.error, body: told };
  return { status: told?.retryable ? 503 : 400, error: told?.error ?? null, body: told };
}

/** The official clients in turn. */
function connect(url: string): Promise<McpClient> {
  const name = clientNames[turn++ % clientNames.length]!;
  const key = `${name} ${url}`;
  const known = connections.get(key);
  if (known !== undefined) return known;
  const opening = mcpClients[name]!(`${url}/mcp`);
  connections.set(key, opening);
  opening.catch(() => connections.delete(key));
  return opening;
}
