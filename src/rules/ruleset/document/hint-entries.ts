/** Entries of a rule file that are no rules: what pays for gas, what gives rights, what failed, what previews note. */

/** All fields but `event` and `at` are names of the event's arguments. */
export interface FeeEntry {
  event: string;
  at: string | string[];
  from: string;
  to?: string;
  token?: string;
  amount?: string;
  cost?: string;
}

/** Fields other than `event`, `call`, `at` and `each` are names of the event's or function's arguments. */
export type GrantEntry =
  | {
      event: string;
      at: string | string[];
      owner: string;
      token: string;
      spender: string;
      amount?: string;
      until?: string;
      /** An argument that distinguishes several rights of one spender over one token. */
      key?: string;
    }
  | {
      call: string;
      at?: string | string[];
      /** A list argument whose elements are one right each. Members of an element are written `item.…`. */
      each?: string;
      owner?: string;
      token?: string;
      spender: string;
      amount?: string;
      given?: string;
      until?: string;
      key?: string;
    };

/** `account` is an argument of the event, or `emitter`. */
export interface FailureEntry {
  event: string;
  at?: string | string[];
  account: string;
  success?: string;
  /** The argument that holds what the failed call returned. */
  reason?: string;
  what: string;
}

/** `ask`: a function of the token, with its only argument. Noted where the number that it answers is not `unless`. */
export interface NoteEntry {
  at: string | string[];
  ask: Record<string, string>;
  unless: string;
  says: string;
}
