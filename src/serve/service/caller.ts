import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../kernel/error.ts";
import type { Possession } from "../access/admission.ts";
import { type Payment, readPayment, readPaymentHeader } from "../access/payment/payment.ts";
import type { Client, ReadClient } from "../access/quota/client-address.ts";

/** As a transport knows it. */
export interface Caller {
  /** The socket, or what has its address. */
  readonly connection: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
  /** MCP; before headers. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Fires on disconnect; called only where something is waited for. */
  gone?(): AbortSignal;
}

export interface Tender {
  passToken: string | undefined;
  payment: Payment | undefined;
}

/** `_meta["svc/pass"]` or X-SVC-Pass, which clients can send always. Throws ServiceError `invalid_payment`. */
export function readTender(caller: Caller): Tender {
  return { passToken: readText(caller, "svc/pass", "x-svc-pass"), payment: readOfferedPayment(caller) };
}

/** `_meta["x402/payment"]` or PAYMENT-SIGNATURE. Throws ServiceError `invalid_payment`. */
function readOfferedPayment({ headers, meta }: Caller): Payment | undefined {
  const object = meta?.["x402/payment"];
  if (object !== undefined) return readPayment(object);
  const header = headers["payment-signature"];
  return header === undefined ? undefined : readPaymentHeader(String(header));
}

/** Throws ServiceError `invalid_payment`. */
export function readBatchTender(caller: Caller): Tender & ShownPossession {
  return { ...readTender(caller), ...readPossession(caller) };
}

export type ShownPossession = Omit<Possession, "isForwarded">;

export interface PassTender extends ShownPossession {
  payment: Payment | undefined;
}

/** Throws ServiceError `invalid_payment`. */
export function readPassTender(caller: Caller): PassTender {
  return { payment: readOfferedPayment(caller), ...readPossession(caller) };
}

/** No hash is refused: the purchase should be bound, and would be lost. */
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

export function clientOf({ connection, headers }: Caller, readClient: ReadClient): Client {
  return readClient(connection.remoteAddress, headers["x-forwarded-for"]);
}

/** What is no text counts as empty: it matches no pass and no claim. */
function readText({ headers, meta }: Caller, name: string, header: string): string | undefined {
  const given = meta?.[name] ?? headers[header];
  if (given === undefined) return undefined;
  return typeof given === "string" ? given.trim() : "";
}
