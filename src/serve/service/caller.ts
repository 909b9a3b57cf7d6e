import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../kernel/error.ts";
import type { Possession } from "../access/admission.ts";
import { type Payment, readPayment, readPaymentHeader } from "../access/payment/payment.ts";
import type { Client, ReadClient } from "../access/quota/client-address.ts";

/** The sender of a request, as a transport knows it. */
export interface Caller {
  /** The socket, or another object with the address of the other end. */
  readonly connection: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
  /** The `_meta` of an MCP message. It takes precedence over the headers. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Gives a signal that fires when the caller disconnects. Called only where there is something to wait for. */
  gone?(): AbortSignal;
}

/** How the caller wants to pay. */
export interface Tender {
  passToken: string | undefined;
  payment: Payment | undefined;
}

/**
 * Reads pass and payment. The pass is in `_meta["svc/pass"]`, or in the X-SVC-Pass header, which a client can be configured to send always.
 * Throws ServiceError `invalid_payment`.
 */
export function readTender(caller: Caller): Tender {
  return { passToken: readText(caller, "svc/pass", "x-svc-pass"), payment: readOfferedPayment(caller) };
}

/** Reads the payment in `_meta["x402/payment"]` or in the PAYMENT-SIGNATURE header. Throws ServiceError `invalid_payment`. */
function readOfferedPayment({ headers, meta }: Caller): Payment | undefined {
  const object = meta?.["x402/payment"];
  if (object !== undefined) return readPayment(object);
  const header = headers["payment-signature"];
  return header === undefined ? undefined : readPaymentHeader(String(header));
}

/** Reads how the caller wants to pay for a batch. Throws ServiceError `invalid_payment`. */
export function readBatchTender(caller: Caller): Tender & ShownPossession {
  return { ...readTender(caller), ...readPossession(caller) };
}

/** What a request shows of its possession. */
export type ShownPossession = Omit<Possession, "isForwarded">;

/** How a pass is paid for, and how its buyer shows that it is his. */
export interface PassTender extends ShownPossession {
  payment: Payment | undefined;
}

/** Reads the payment for a pass, and what shows its buyer. Throws ServiceError `invalid_payment`. */
export function readPassTender(caller: Caller): PassTender {
  return { payment: readOfferedPayment(caller), ...readPossession(caller) };
}

/** A hash that is none is refused: whoever sends it wants his purchase bound, and would lose it. */
function readPossession(caller: Caller): ShownPossession {
  const claimKey = readText(caller, "svc/claim-key", "x-svc-claim-key")?.toLowerCase();
  if (claimKey !== undefined && !/^[0-9a-f]{64}$/.test(claimKey))
    throw new ServiceError("invalid_payment", "X-SVC-Claim-Key is not a SHA-256 hash in hex.");
  return {
    claimKey,
    claimSecret: readText(caller, "svc/claim-secret", "x-svc-claim-secret"),
    claim: readText(caller, "svc/claim", "x-svc-claim"),
  };
}

/** The client of a request: the address for which calls are counted together. */
export function clientOf({ connection, headers }: Caller, readClient: ReadClient): Client {
  return readClient(connection.remoteAddress, headers["x-forwarded-for"]);
}

/**
 * Reads a text from `_meta` or a header; undefined where there is none. A value that is not text counts as an empty one, which matches no
 * pass and no claim.
 */
function readText({ headers, meta }: Caller, name: string, header: string): string | undefined {
  const given = meta?.[name] ?? headers[header];
  if (given === undefined) return undefined;
  return typeof given === "string" ? given.trim() : "";
}
