/** What pays for gas, grants rights, failed, and what previews note. */

/** Fields but `event` and `at` name arguments. `from`: who paid for gas. `paid`: what the contract's own service cost. */
export interface FeeEntry {
  event: string;
  at: string | string[];
  from?: string;
  paid?: string;
  to?: string;
  token?: string;
  amount?: string;
  cost?: string;
}

/** Fields but `event`, `call`, `at` and `each` name arguments. */
export type GrantEntry =
  | {
      event: string;
      at: string | string[];
      owner: string;
      token: string;
      spender: string;
      amount?: string;
      until?: string;
      /** Distinguishes rights of one spender over one token. */
      key?: string;
    }
  | {
      call: string;
      at?: string | string[];
      /** A list with one right an element, whose members are `item.…`. */
      each?: string;
      owner?: string;
      token?: string;
      spender: string;
      amount?: string;
      given?: string;
      until?: string;
      key?: string;
    };

/** `account`: an argument, or `emitter`. */
export interface FailureEntry {
  event: string;
  at?: string | string[];
  account: string;
  success?: string;
  /** What the failed call returned. */
  reason?: string;
  what: string;
}

/** `ask`: a function of the token, with its argument. Noted where it does not answer `unless`. */
export interface NoteEntry {
  at: string | string[];
  ask: Record<string, string>;
  unless: string;
  says: string;
}
