import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { assert, ServiceError } from "../../../kernel/error.ts";
import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { NewPass, PassRow } from "../ledger/rows.ts";

export type PassStatus = "valid" | "unknown" | "expired" | "exhausted";

/** A call of the pass, or why there is none. */
export type PassUse = { status: "valid"; call: PassCall } | { status: Exclude<PassStatus, "valid"> };

/** The state of a pass. `remaining`: calls left, if it is valid. */
export interface PassStanding {
  status: PassStatus;
  remaining?: number;
}

/** A call that is held until it is charged or given back. `remaining`: calls left without it. */
export interface PassCall {
  remaining: number;
  charge(): void;
  /** Gives the call back, and returns how many are left then. */
  giveBack(): MaybePromise<number>;
}

/** The terms of a pass. They are stored with the payment, so that later changes of the settings do not change the pass. */
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

export interface PassesOptions {
  ledger: Ledger;
  /** The keys with which tokens are made: the current one, and the previous one. */
  secrets: readonly [string, ...string[]];
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Prepaid passes. The first token is derived from the key and the payment, so it can be shown after a crash between settling and answering.
 * Whenever the pass is given again, it gets a random one. Only the token's hash is stored, so a token stays valid when the key changes;
 * giving the pass again needs the key under which it was sold.
 */
export function createPasses({ ledger, secrets, now }: PassesOptions) {
  function find(token: string): MaybePromise<PassRow | undefined> {
    const id = readId(token);
    if (id === undefined) return undefined;
    return andThen(ledger.findPass(id), (pass) => (pass && isTokenOf(pass, token) ? pass : undefined));
  }

  return {
    /** The state of the pass with this token. Takes no call from it. */
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
      const token = deriveToken(secrets[0], paymentKey);
      return {
        id: readId(token) as string,
        tokenHash: hashToken(token),
        expiresAt: settledAt + terms.seconds,
        callCap: terms.calls,
      };
    },
    /**
     * The buyer's copy of a pass that was issued this moment; null: it was given again since, with another token. Throws as `renew`
     * rejects.
     */
    describe(pass: PassRow): PassRecord | null {
      const token = firstTokenOf(pass, secrets);
      return isTokenOf(pass, token) ? recordOf(pass, token) : null;
    },
    /**
     * The buyer's copy of a pass that is given again, with a new token. The one of before is unknown from now on. Rejects with ServiceError
     * `pass_not_shown` if no key is the one that it was sold under, because PASS_SECRET was changed and PASS_SECRET_PREVIOUS is another.
     */
    async renew(pass: PassRow): Promise<PassRecord> {
      firstTokenOf(pass, secrets);
      const token = `svc_${pass.id}_${randomBytes(32).toString("hex")}`;
      const renewed = await ledger.renewPass(pass.paymentKey, hashToken(token));
      assert(renewed !== undefined, "passes are never deleted");
      return recordOf(renewed, token);
    },
    /** Whether the newest passes that are still good can be shown to their buyers again. */
    async canShow(): Promise<boolean> {
      const sold = await ledger.listPasses(lookedAt);
      const isOver = (pass: PassRow) => standingOf(pass, Math.floor(now() / 1000)).status !== "valid";
      return sold.every((pass) => isOver(pass) || tokenOf(pass, secrets) !== undefined);
    },
  };
}

/** The token with which a pass was issued. undefined: it was sold under another key. */
function tokenOf({ id, paymentKey }: PassRow, secrets: readonly string[]): string | undefined {
  return secrets.map((secret) => deriveToken(secret, paymentKey)).find((made) => readId(made) === id);
}

function firstTokenOf(pass: PassRow, secrets: readonly string[]): string {
  const token = tokenOf(pass, secrets);
  if (token === undefined) throw new ServiceError("pass_not_shown");
  return token;
}

function recordOf({ expiresAt, callCap }: PassRow, token: string): PassRecord {
  const ends = new Date(expiresAt * 1000).toISOString().replace(".000Z", "Z");
  return { pass_token: token, expires_at: ends, call_cap: callCap };
}

/** How many passes are enough to notice another key. */
const lookedAt = 200;

function standingOf({ expiresAt, callCap, used }: PassRow, now: number): PassStanding {
  if (expiresAt <= now) return { status: "expired" };
  return used < callCap ? { status: "valid", remaining: callCap - used } : { status: "exhausted" };
}

function takeCall(ledger: Ledger, pass: PassRow, now: number): MaybePromise<PassUse> {
  if (pass.expiresAt <= now) return { status: "expired" };
  return andThen(ledger.takePassCall(pass.id, now), (taken) => {
    if (taken === null) return { status: "exhausted" };
    const { count: remaining, charge } = taken;
    const giveBack = () => andThen(taken.giveBack(), (left) => left ?? remaining + 1);
    return { status: "valid", call: { remaining, charge, giveBack } };
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

/** The id of a pass is public, but the time of the comparison must not reveal anything about the rest of the token. */
function isTokenOf({ tokenHash }: PassRow, token: string): boolean {
  const hash = hashToken(token);
  return hash.length === tokenHash.length && timingSafeEqual(Buffer.from(hash), Buffer.from(tokenHash));
}
