import type { NearTest } from "./reach.ts";

/** Milliseconds of tests that one change may cost, and what a file counts that never ran: without processes, and with them. */
const quickBudget = { all: 25_000, unknown: 2_000, least: 3 };
const closeSteps = 4;
const slowBudget = { all: 25_000, unknown: 10_000, least: 1 };

/**
 * Tests that judge a change of one file: those of the same room first, then the others by the number of imports between, as many as
 * the time allows. Those that start processes come last, and only those of the same room that import the file by few steps, unless nothing else reaches it. `took`:
 * milliseconds of earlier runs.
 */
export function chooseTests(near: readonly NearTest[], took: Readonly<Record<string, number>>): string[] {
  const may = near.filter(({ path }) => !never.test(path));
  const quick = may.filter(({ process }) => !process);
  const slow = may.filter(
    ({ process, sameRoom, steps }) => process && ((sameRoom && steps <= closeSteps) || quick.length === 0),
  );
  return [...within(quick, quickBudget, took), ...within(slow, slowBudget, took)];
}

function within(
  tests: readonly NearTest[],
  budget: typeof quickBudget,
  took: Readonly<Record<string, number>>,
): string[] {
  let spent = 0;
  const chosen = tests.filter(({ path }, i) => {
    spent += took[path] ?? budget.unknown;
    return i < budget.least || spent <= budget.all;
  });
  return chosen.map(({ path }) => path);
}

/** Tests that build packages, start services or break them. */
const never = /^test\/(?:chaos|packaging|platform)\//;
