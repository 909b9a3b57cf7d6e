import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { NewPass, PassRow } from "../ledger/rows.ts";

export type PassStatus = "valid" | "unknown" | "expired" | "exhausted";

export type PassUse = { status: "valid"; call: PassCall } | { status: Exclude<PassStatus, "valid"> };

/** `remaining`: if valid. */
export interface PassStanding {
  status: PassStatus;
  remaining?: number;
}

/** `remaining`: without it. */
export interface PassCall {
  remaining: number;
  charge(): void;
  /** What is left then. */
  giveBack(): Promise<number>;
}

/** Stored with the payment: later settings do not change the pass. */
export interface PassTerms {
  seconds: number;
  calls: number;
}

/** schemas/pass.schema.json. */
export interface PassRecord {
  pass_token: string;
  expires_at: string;
  call_cap: number;
}

export type Passes = ReturnType<typeof createPasses>;

export interface PassesOptions {
  ledger: Ledger;
  /** For tokens; newest first. */
  secrets: readonly [string, ...string[]];
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * The first token follows from key and payment, to be shown after a crash between settling and answering; later ones are random. Stored
 * hashed: tokens outlive a change of the key, but giving a pass again needs the key it was sold under.
 */
export function createPasses({ ledger, secrets, now }: PassesOptions) {
  const seconds = () => Math.floor(now() / 1000);

  async function find(token: string): Promise<PassRow | undefined> {
    const id = readId(token);
    const pass = id === undefined ? undefined : await ledger.findPass(id);
    return pass && isTokenOf(pass, token) ? pass : undefined;
  }

  return {
    /** Takes no call. */
    async look(token: string): Promise<PassStanding> {
      const pass = await find(token);
      return pass === undefined ? { status: "unknown" } : standingOf(pass, seconds());
    },
    /** Takes a call. */
    async use(token: string): Promise<PassUse> {
      const pass = await find(token);
      return pass === undefined ? { status: "unknown" } : takeCall(ledger, pass, seconds());
    },
    /** `settledAt`: Unix seconds, its begin. */
    issue(paymentKey: string, terms: PassTerms, settledAt: number): NewPass {
      const token = deriveToken(secrets[0], paymentKey);
      return {
        id: readId(token) as string,
        tokenHash: hashToken(token),
        expiresAt: settledAt + terms.seconds,
        callCap: terms.calls,
      };
    },
    /** Issued this moment; null: given again since. Throws as `renew` rejects. */
    describe(pass: PassRow): PassRecord | null {
      const token = firstTokenOf(pass, secrets);
      return isTokenOf(pass, token) ? recordOf(pass, token) : null;
    },
    /**
     * New token; the one before is unknown from now on. Rejects with ServiceError `pass_not_shown`: sold under neither PASS_SECRET nor
     * PASS_SECRET_PREVIOUS.
     */
    async renew(pass: PassRow): Promise<PassRecord> {
      firstTokenOf(pass, secrets);
      const token = `svc_${pass.id}_${randomBytes(32).toString("hex")}`;
      const renewed = await ledger.renewPass(pass.paymentKey, hashToken(token));
      assert(renewed !== undefined, "passes are never deleted");
      return recordOf(renewed, token);
    },
    /** Newest valid ones. */
    async canShow(): Promise<boolean> {
      const sold = await ledger.listPasses(lookedAt);
      const isOver = (pass: PassRow) => standingOf(pass, seconds()).status !== "valid";
      return sold.every((pass) => isOver(pass) || tokenOf(pass, secrets) !== undefined);
    },
  };
}

/** As issued. undefined: under another key. */
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

/** Enough to notice another key. */
const lookedAt = 200;

function standingOf({ expiresAt, callCap, used }: PassRow, now: number): PassStanding {
  if (expiresAt <= now) return { status: "expired" };
  return used < callCap ? { status: "valid", remaining: callCap - used } : { status: "exhausted" };
}

async function takeCall(ledger: Ledger, pass: PassRow, now: number): Promise<PassUse> {
  if (pass.expiresAt <= now) return { status: "expired" };
  const taken = await ledger.takePassCall(pass.id, now);
  if (taken === null) return { status: "exhausted" };
  const { count: remaining, charge } = taken;
  const giveBack = async () => (await taken.giveBack()) ?? remaining + 1;
  return { status: "valid", call: { remaining, charge, giveBack } };
}

/** `svc_<id>_<secret>`: 96 bits to find it, 256 unguessable ones. */
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

/** The id is public; the comparison's time must tell nothing of the rest. */
function isTokenOf({ tokenHash }: PassRow, token: string): boolean {
  const hash = hashToken(token);
  return hash.length === tokenHash.length && timingSafeEqual(Buffer.from(hash), Buffer.from(tokenHash));
}
