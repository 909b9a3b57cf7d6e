import { type Address, readAddress } from "../../kernel/address.ts";
import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import type { JsonAnswer } from "./http/json-client.ts";

/** What a server says about a contract with published source code. The contract's author wrote name and ABI, so neither is trusted. */
export interface VerifiedContract {
  name: unknown;
  abi: unknown;
  /** The implementation, if the contract is a proxy. */
  implementation: Address | undefined;
}

/** The JSON object of an answer with status 200; undefined otherwise. */
export function readFoundObject(answer: JsonAnswer): JsonObject | undefined {
  return answer === "failed" || answer.status !== 200 ? undefined : readObject(answer.body);
}

/** The first implementation of a server's list. The field of its address has had two names. */
export function readImplementation(list: unknown): Address | undefined {
  const first = Array.isArray(list) ? readObject(list[0]) : undefined;
  return readAddress(first?.address_hash ?? first?.address);
}
