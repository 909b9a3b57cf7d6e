/** Rights that a message gives. */
import { bob, usdc } from "../../support/case-of.ts";

/** A right over five dollars that a message gives to bob. */
export const right = (more: object = {}) => ({
  ...{ token: usdc, spender: bob, amount: 5_000_000n, endless: false, id: null, until: null, ...more },
});
