import { expect, it } from "vitest";
import { restartUnderLoad } from "../../support/rolling-restart.ts";

// The long form is `npm run bench -- restart`: 100 clients, ten rounds.
it("a rolling restart of two replicas behind a plain proxy loses no request", { timeout: 120_000 }, async () => {
  const { answered, failed, exits, slowestStop } = await restartUnderLoad({ clients: 30, rounds: 1 });
  expect(failed).toEqual({});
  expect(answered).toBeGreaterThan(100);
  expect(exits).toEqual([0, 0]);
  expect(slowestStop).toBeLessThan(9_000);
});
