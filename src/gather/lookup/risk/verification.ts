import { LRUCache } from "lru-cache";
import type { Address } from "../../../kernel/address.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { VerifyQuestion } from "../../../model/lookup-plan.ts";
import type { VerificationLookup } from "../../../model/risk-lookups.ts";
import type { Clock } from "../../network/health/endpoint-health.ts";
import { byteSize } from "../byte-size.ts";
import { type CodeContext, type ResolvedCode, resolveCode } from "./code-resolution.ts";

/** Published source of the running code. Answers all; never rejects. `time`: ISO 8601, UTC. */
export async function lookUpVerification(
  questions: readonly VerifyQuestion[],
  askPublished: AskPublished,
  context: CodeContext & { time(): string },
): Promise<Record<Address, VerificationLookup>> {
  const resolved = await resolveCode(questions, context);
  const answers = await Promise.all(
    questions.map(async ({ address }) => {
      const code = resolved.get(address);
      const judged = code === undefined ? unread : await judge(code, askPublished, context.signal);
      return [address, { ...judged, time: context.time() }] as const;
    }),
  );
  return Object.fromEntries(answers);
}

type Judged = Omit<VerificationLookup, "time">;

const unread: Judged = { status: "unavailable", source: "rpc", code: null, logic: [], via: [], owned: false };

async function judge(resolved: ResolvedCode, ask: AskPublished, signal: AbortSignal): Promise<Judged> {
  const { certain, ...facts } = resolved;
  if (!certain) return { status: "inconclusive", source: "rpc", ...facts };
  if (facts.code === "none") return { status: "absent", source: "rpc", ...facts };
  const answers = await Promise.all(facts.logic.map((address) => ask(address, signal)));
  const status = (["unavailable", "absent"] as const).find((wanted) =>
    answers.some((answer) => answer.status === wanted),
  );
  const sources = new Set(answers.map((answer) => answer.source));
  const reason = answers.find((answer) => answer.reason !== undefined)?.reason;
  const told: Judged = { status: status ?? "found", source: [...sources].join(", "), ...facts };
  return reason === undefined ? told : { ...told, reason };
}

/** `absent`: every server said so. */
export interface PublishedAnswer {
  status: "found" | "absent" | "unavailable";
  source: string;
  reason?: "key_missing";
}

/** Never rejects. */
export type AskPublished = (address: Address, signal: AbortSignal) => Promise<PublishedAnswer>;

/** Sourcify, Blockscout. */
export interface VerificationServer {
  name: string;
  /** Silent without a key. */
  wantsKey?: { contracts(): boolean };
  /** undefined: no answer. */
  isVerified(address: Address, signal: AbortSignal): Promise<boolean | undefined>;
}

/** In order. `absent` only if all say so: a failed one may know more. Failures are not remembered. */
export function createPublishedSource(servers: readonly VerificationServer[], clock: Clock): AskPublished {
  const size = { maxSize: serviceLimits.publishedCacheBytes, sizeCalculation: byteSize };
  const memory = new LRUCache<Address, PublishedAnswer>({ ...size, ttl: 1, ttlResolution: 0, perf: clock });

  async function ask(address: Address, signal: AbortSignal): Promise<PublishedAnswer> {
    const silent: VerificationServer[] = [];
    for (const server of servers) {
      const isVerified = await server.isVerified(address, signal);
      if (isVerified === true) return { status: "found", source: server.name };
      if (isVerified === undefined) silent.push(server);
    }
    if (servers.length === 0 || silent.length > 0) {
      const source = silent.map(({ name }) => name).join(", ") || "none";
      const keyless = silent.some(({ wantsKey }) => wantsKey?.contracts());
      return { status: "unavailable", source, ...(keyless ? { reason: "key_missing" } : {}) };
    }
    return { status: "absent", source: servers.map(({ name }) => name).join(", ") };
  }

  return async (address, signal) => {
    const known = memory.get(address);
    if (known !== undefined) return known;
    const answer = await ask(address, signal);
    const ttl = lifetimes[answer.status];
    if (ttl > 0) memory.set(address, answer, { ttl });
    return answer;
  };
}

/** Milliseconds. Missing source may be published soon. */
const lifetimes = { found: 24 * 3_600_000, absent: 10 * 60_000, unavailable: 0 } as const;
