import type { IncomingHttpHeaders } from "node:http";
import { type Payment, readPayment, readPaymentHeader } from "../access/payment/payment.ts";
import type { Client, ReadClient } from "../access/quota/client-address.ts";

/** Who sends a request, as a transport knows it. */
export interface Caller {
  /** The socket, or anything that knows the address of the other end. */
  readonly connection: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
  /** The `_meta` of an MCP message. It comes before the headers. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Gives a signal that fires when the caller goes away. It is made only where somebody has to wait. */
  gone?(): AbortSignal;
}

/** How the caller wants to pay. */
export interface Tender {
  passToken: string | undefined;
  payment: Payment | undefined;
}

/** The pass is in `_meta["svc/pass"]` or in the X-SVC-Pass header, which a client can be set up to send always. */
export function readTender(caller: Caller): Tender {
  return { passToken: readText(caller, "svc/pass", "x-svc-pass"), payment: readOfferedPayment(caller) };
}

/** The payment in `_meta["x402/payment"]` or in the PAYMENT-SIGNATURE header. Throws ServiceError `invalid_payment`. */
function readOfferedPayment({ headers, meta }: Caller): Payment | undefined {
  const object = meta?.["x402/payment"];
  if (object !== undefined) return readPayment(object);
  const header = headers["payment-signature"];
  return header === undefined ? undefined : readPaymentHeader(String(header));
}

/** How the caller wants to pay for a batch. Throws ServiceError `invalid_payment`. */
export function readBatchTender(caller: Caller): Tender & { claim: string | undefined } {
  return { ...readTender(caller), claim: readClaim(caller) };
}

/** What a pass is bought with, or asked for again. Throws ServiceError `invalid_payment`. */
export function readPassTender(caller: Caller): { payment: Payment | undefined; claim: string | undefined } {
  return { payment: readOfferedPayment(caller), claim: readClaim(caller) };
}

function readClaim(caller: Caller): string | undefined {
  return readText(caller, "svc/claim", "x-svc-claim");
}

/** The address whose calls are counted together. */
export function clientOf({ connection, headers }: Caller, readClient: ReadClient): Client {
  return readClient(connection.remoteAddress, headers["x-forwarded-for"]);
}

/** What is no text was shown too: it is empty, so no pass and no claim is found in it. */
function readText({ headers, meta }: Caller, name: string, header: string): string | undefined {
  const given = meta?.[name] ?? headers[header];
  if (given === undefined) return undefined;
  return typeof given === "string" ? given.trim() : "";
}
