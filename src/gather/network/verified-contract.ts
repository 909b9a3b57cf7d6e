import { type Address, readAddress } from "../../kernel/address.ts";
import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import type { JsonAnswer } from "./http/json-client.ts";

/** Name and ABI are the author's: not trusted. */
export interface VerifiedContract {
  name: unknown;
  abi: unknown;
  /** Of a proxy. */
  implementation: Address | undefined;
}

/** Status 200. */
export function readFoundObject(answer: JsonAnswer): JsonObject | undefined {
  return answer === "failed" || answer.status !== 200 ? undefined : readObject(answer.body);
}

/** The address field has had two names. */
export function readImplementation(list: unknown): Address | undefined {
  const first = Array.isArray(list) ? readObject(list[0]) : undefined;
  return readAddress(first?.address_hash ?? first?.address);
}
