import { LRUCache } from "lru-cache";
import type { Hash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Clock } from "../network/health/endpoint-health.ts";
import type { PreviewAnswer } from "./preview-answer.ts";

/** While their block is the newest, and a moment longer. */
export function createPreviewMemory(clock: Clock) {
  const expiry = { ttl: onBlockMs, ttlResolution: 0, perf: clock };
  const answers = new LRUCache<string, { answer: PreviewAnswer; at: number }>({
    ...expiry,
    maxSize: serviceLimits.previewCacheBytes,
    sizeCalculation: ({ answer }) => answer.body.length * 9 + JSON.stringify(answer.caseFile).length * 2 + 1024,
  });
  return {
    /** Of the last two seconds, on any block. */
    recent(name: string): PreviewAnswer | undefined {
      const kept = answers.get(name);
      return kept !== undefined && clock.now() - kept.at < recentMs ? kept.answer : undefined;
    },
    onBlock(name: string, hash: Hash): PreviewAnswer | undefined {
      const kept = answers.get(name);
      return kept?.answer.caseFile.block.hash === hash ? kept.answer : undefined;
    },
    /** Not where a source did not answer. */
    keep(name: string, answer: PreviewAnswer): void {
      if (isWhole(answer)) answers.set(name, { answer, at: clock.now() });
    },
  };
}

/** A few blocks. */
const recentMs = 2_000;
const onBlockMs = 30_000;

function isWhole({ caseFile: { price, tokens, reads, simulation } }: PreviewAnswer): boolean {
  const asked = [price, ...reads, ...Object.values(tokens)];
  const failed = simulation?.unavailable.some(({ reason }) => reason === "failed") ?? false;
  return !failed && asked.every(({ status }) => status !== "unavailable");
}
