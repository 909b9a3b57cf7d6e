import { type Address, readAddress } from "../kernel/address.ts";
import type { Settled } from "./settle.ts";

/** Addresses that the told actions name: receivers on other chains, beneficiaries of permits. */
export function namedAddresses({ actions }: Settled): Address[] {
  return actions.flatMap(({ rule, context }) =>
    [...rule.captures.values()].flatMap((capture) => {
      const value = capture.kind === "address" ? capture.get(context) : undefined;
      return readAddress(value) ?? [];
    }),
  );
}
