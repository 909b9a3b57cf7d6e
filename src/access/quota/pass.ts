import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Ledger, NewPass, PassRow } from "../ledger/ledger.ts";

export type PassStatus = "valid" | "unknown" | "expired" | "exhausted";

/** A call of the pass, or why there is none. */
export type PassUse = { status: "valid"; call: PassCall } | { status: Exclude<PassStatus, "valid"> };

/** The state of a pass that is shown. `remaining`: calls left, if it is valid. */
export interface PassStanding {
  status: PassStatus;
  remaining?: number;
}

export interface PassCall {
  remaining: number;
  giveBack(): MaybePromise<number>;
}

/** What a pass contains. It is stored with the payment, so that a later change of the settings does not change it. */
export interface PassTerms {
  seconds: number;
  calls: number;
}

/** The pass as its buyer gets it: schemas/pass.schema.json. */
export interface PassRecord {
  pass_token: string;
  expires_at: string;
  call_cap: number;
}

export type Passes = ReturnType<typeof createPasses>;

/**
 * Prepaid passes. A token is derived from the secret and the payment, so the same payment always gives the same token, and only
 * the token's hash is stored. `now` is in milliseconds.
 */
export function createPasses({ ledger, secret, now }: { ledger: Ledger; secret: string; now: () => number }) {
  function find(token: string): MaybePromise<PassRow | undefined> {
    const id = readId(token);
    if (id === undefined) return undefined;
    // The id is public. The time of the comparison must not tell anything about the rest of the token.
    return andThen(
      ledger.findPass(id),
      (pass) => pass && (sameHash(hashToken(token), pass.tokenHash) ? pass : undefined),
    );
  }

  return {
    /** The state of the pass of this token. Nothing is taken from it. */
    look: (token: string): MaybePromise<PassStanding> =>
      andThen(find(token), (pass) =>
        pass === undefined ? { status: "unknown" } : standingOf(pass, Math.floor(now() / 1000)),
      ),
    /** Takes one call from the pass of this token. */
    use: (token: string): MaybePromise<PassUse> =>
      andThen(
        find(token),
        (pass): MaybePromise<PassUse> =>
          pass === undefined ? { status: "unknown" } : takeCall(ledger, pass, Math.floor(now() / 1000)),
      ),
    /** The pass that a settled payment activates. Its time starts at `settledAt` (Unix seconds). */
    issue(paymentKey: string, terms: PassTerms, settledAt: number): NewPass {
      const token = deriveToken(secret, paymentKey);
      return {
        id: readId(token) as string,
        tokenHash: hashToken(token),
        expiresAt: settledAt + terms.seconds,
        callCap: terms.calls,
      };
    },
    /** The buyer's copy of an activated pass. */
    describe: (pass: PassRow): PassRecord => ({
      pass_token: deriveToken(secret, pass.paymentKey),
      expires_at: new Date(pass.expiresAt * 1000).toISOString().replace(".000Z", "Z"),
      call_cap: pass.callCap,
    }),
  };
}

function standingOf({ expiresAt, callCap, used }: PassRow, now: number): PassStanding {
  if (expiresAt <= now) return { status: "expired" };
  return used < callCap ? { status: "valid", remaining: callCap - used } : { status: "exhausted" };
}

function takeCall(ledger: Ledger, pass: PassRow, now: number): MaybePromise<PassUse> {
  if (pass.expiresAt <= now) return { status: "expired" };
  return andThen(ledger.takePassCall(pass.id, now), (remaining) => {
    if (remaining === null) return { status: "exhausted" };
    return { status: "valid", call: { remaining, giveBack: () => ledger.giveBackPassCall(pass.id) } };
  });
}

/** `svc_<id>_<secret>`: 96 bits to find the pass, 256 bits that nobody can guess. */
function deriveToken(secret: string, paymentKey: string): string {
  const part = (name: string) => createHmac("sha256", secret).update(`${name}|${paymentKey}`).digest("hex");
  return `svc_${part("pass-id").slice(0, idChars)}_${part("pass-token")}`;
}

const idChars = 24;
const tokenPattern = /^svc_([0-9a-f]{24})_[0-9a-f]{64}$/;

function readId(token: string): string | undefined {
  return tokenPattern.exec(token)?.[1];
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function sameHash(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
