import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { challengeTable, type ErrorCode, errorTable } from "../../src/kernel/error.ts";
import { limits, serviceLimits } from "../../src/kernel/limits.ts";
import type { Degraded } from "../../src/serve/access/readiness.ts";
import { defaultRetryAfterSeconds } from "../../src/serve/service/failure.ts";
import { root } from "../support/shared.ts";

describe("what callers build on", () => {
  it("is the table of errors as docs/http-api.md has it", () => {
    const page = readFileSync(join(root, "docs/http-api.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([a-z_0-9]+)` \| (\d+) \| (yes|no) \| (.+) \|$/gm)].map(
      ([, code, status, retryable, meaning]) => [
        code,
        { status: Number(status), retryable: retryable === "yes", meaning },
      ],
    );
    expect(Object.fromEntries(rows)).toEqual(errorTable);
  });

  it("are the reasons of a 402, as docs/http-api.md and docs/charging.md have them", () => {
    const page = readFileSync(join(root, "docs/http-api.md"), "utf8");
    const [, table = ""] = page.split("| `error` of 402 | meaning |\n|---|---|\n");
    const rows = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gm)].map((row) =>
      row.slice(1),
    );
    expect(Object.fromEntries(rows)).toEqual(challengeTable);
    const [, list = ""] = readFileSync(join(root, "docs/charging.md"), "utf8").split("The `error` of a 402 says why,");
    for (const reason of Object.keys(challengeTable)) expect(list.split("\n\n")[0]).toContain(`\`${reason}\``);
  });

  it("are the reasons of what does not work, as docs/operating.md has them", () => {
    const page = readFileSync(join(root, "docs/operating.md"), "utf8");
    const [, told = ""] = page.split("Reasons of endpoints:");
    const reasons = [...(told.split("\nThe same reasons stand")[0] ?? "").matchAll(/`([a-z_]+)`/g)].map(
      ([, name]) => name,
    );
    const { properties } = JSON.parse(readFileSync(join(root, "schemas/health.schema.json"), "utf8"));
    const trouble = properties.endpoints.items.properties.troubles.items.properties.reason.enum as string[];
    const charging: Degraded["reason"][] = [
      ...(["unavailable", "unsupported", "transaction_stuck"] as const),
      ...(["empty", "low", "price_too_high"] as const),
    ];
    expect([...trouble, ...charging].filter((reason) => !reasons.includes(reason))).toEqual([]);
  });

  it("is a time to wait with each failure that is ours", () => {
    const ours = Object.entries(errorTable).flatMap(([code, { status }]) => (status === 503 ? [code] : []));
    expect(ours.filter((code) => defaultRetryAfterSeconds[code as ErrorCode] === undefined)).toEqual([]);
  });

  // Answers, memory and time depend on each limit, so none may be changed by accident.
  it("is each limit", () => {
    expect({ ...limits, ...serviceLimits }).toEqual({
      bodyBytesMax: 4096,
      previewBodyBytesMax: 294_912,
      previewDataBytesMax: 131_072,
      pagePricesMs: 800,
      revertedGasPerHour: 5_000_000,
      batchLinesMax: 100,
      batchBodyBytesMax: 16_384,
      batchMs: 60_000,
      batchAtOnce: 8,
      batchAheadMax: 16,
      previewCacheBytes: 16 * 1024 * 1024,
      messageBytesMax: 65_536,
      messageDepthMax: 128,
      typedDataCharsMax: 65_536,
      typedStructsMax: 64,
      typedMembersMax: 64,
      typedValuesMax: 4_096,
      typedDepthMax: 16,
      subscriptionsMax: 64,
      callDepthMax: 16,
      unwrappedCallsMax: 512,
      framesMax: 20_000,
      logsMax: 100_000,
      matchedLogsMax: 1_024,
      candidatesMax: 256,
      matchedLogStepsMax: 2_000_000,
      candidateStepsMax: 150_000,
      movementsMax: 10_000,
      trailStepsMax: 50_000,
      authorizationsMax: 64,
      arrayItemsMax: 4_096,
      hereLogsMax: 200,
      hereFramesMax: 1_000,
      hereBytesMax: 131_072,
      hereAuthorizationsMax: 16,
      largeWaitingMax: 32,
      decidingMs: 1_000,
      backlogMax: 8_192,
      callersMax: 2_048,
      failuresMax: 10_000,
      assetsMax: 200,
      ownAssetsMax: 300,
      evidenceMax: 1_000,
      signedFieldsMax: 32,
      signedGrantsMax: 50,
      answerBytesMax: 262_144,
      counterpartiesMax: 100,
      summaryCharsMax: 480,
      fieldsCharsMax: 300,
      toldElementsMax: 4,
      previewSummaryCharsMax: 640,
      asksMax: 64,
      templateCharsMax: 280,
      conditionDepthMax: 12,
      symbolCharsMax: 32,
      nameCharsMax: 128,
      tokenCacheBytes: 8 * 1024 * 1024,
      publishedCacheBytes: 8 * 1024 * 1024,
      historyCacheBytes: 16 * 1024 * 1024,
      tokensMax: 256,
      readsMax: 256,
      bodiesBytesMax: 48 * 1024 * 1024,
      smallBodyBytes: 1024 * 1024,
      bodyAloneBytesMax: 64 * 1024 * 1024,
      clientWaitingShare: 2,
      freeShare: 0.75,
      drawingBytesMax: 8 * 1024 * 1024,
      largeWaitingPerClient: 2,
      mediumSizeMax: 8,
      threadHeapMb: 288,
      tooLargeMs: 60_000,
      mistakesTimes: 50,
      staticBytesPerMinute: 16 * 1024 * 1024,
      lineBytesMax: 64 * 1024 * 1024,
      blockLinesMax: 64,
      blockBytesMax: 65_536,
      threadsMax: 256,
      blockNumberMax: 2 ** 40,
      bloomedMax: 1_024,
      batchesOfChainMax: 64,
      explorerPagesMax: 10,
      connectionsMax: 4_000,
      pipelinedMax: 32,
      headerBytesMax: 16_384,
      paymentCharsMax: 12_288,
      signatureCharsMax: 8_194,
      messageWeight: 0.25,
      lineWeight: 0.25,
      ratedClientsMax: 100_000,
    });
  });
});
