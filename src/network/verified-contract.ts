import { type Address, readAddress } from "../kernel/address.ts";
import { type JsonObject, readObject } from "../kernel/canonical.ts";
import type { JsonAnswer } from "./http/json-client.ts";

/** What a server tells about a contract whose source code is published. The contract's author wrote name and ABI. */
export interface VerifiedContract {
  name: unknown;
  abi: unknown;
  /** What runs behind the contract when it is a proxy. */
  implementation: Address | undefined;
}

/** The object that a server answered; undefined when there is none. */
export function readFoundObject(answer: JsonAnswer): JsonObject | undefined {
  return answer === "failed" || answer.status !== 200 ? undefined : readObject(answer.body);
}

/** The first of the implementations that a server lists. Their address has had two names. */
export function readImplementation(list: unknown): Address | undefined {
  const first = Array.isArray(list) ? readObject(list[0]) : undefined;
  return readAddress(first?.address_hash ?? first?.address);
}
