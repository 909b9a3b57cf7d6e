import type { PricedCall, Quota } from "../admission.ts";
import type { Reason } from "../payment/payment.ts";
import type { Client } from "./client-address.ts";
import type { Passes } from "./pass.ts";
import { passAsClient } from "./rate-limit.ts";

/** undefined: none is shown. */
export type PassQuota = Quota["pass"];

/** Takes no call from it. */
export async function lookAtPass(
  { passes }: { passes: Passes },
  { passToken }: Pick<PricedCall, "passToken">,
): Promise<PassQuota> {
  return passToken === undefined ? undefined : passes.look(passToken);
}

/** A valid pass, else the client. */
export function workerOf({ client, passToken }: Pick<PricedCall, "client" | "passToken">, pass: PassQuota): Client {
  return passToken !== undefined && pass?.status === "valid" ? passAsClient(passToken) : client;
}

/** Why the pass cannot be used. */
export function reasonsOf(pass: PassQuota): Reason[] {
  return pass === undefined || pass.status === "valid" ? [] : [`pass_${pass.status}`];
}
