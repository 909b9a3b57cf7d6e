import type { NearTest } from "./reach.ts";

/**
 * Milliseconds of tests that one change may cost, and the assumed time of a file that never ran: for tests without processes, and with
 * them.
 */
const quickBudget = { all: 30_000, unknown: 1_000, least: 3 };
const slowBudget = { all: 20_000, unknown: 10_000, least: 1 };
/** With more import steps than this, a test that starts processes says little about a file. */
const closeSteps = 4;

/**
 * Tests that judge a change of one file: those of the same room first, then the others by the number of imports between, as many as
 * the time allows. Tests that start processes come last: all where nothing else reaches the file, the close ones of its room where no
 * other test of the room reaches it. `took`: milliseconds of earlier runs.
 */
export function chooseTests(near: readonly NearTest[], took: Readonly<Record<string, number>>): string[] {
  const [quick, slow] = partsOf(near);
  const isClose = ({ sameRoom, steps }: NearTest) => sameRoom && steps <= closeSteps;
  const needed = quick.some(({ sameRoom }) => sameRoom) ? () => false : quick.length === 0 ? () => true : isClose;
  return [...within(quick, quickBudget, took), ...within(slow.filter(needed), slowBudget, took)];
}

/**
 * Tests that judge a change which {@link chooseTests} left unnoticed: the golden record of all answers, then all others that reach the
 * file, as far as the time allows.
 */
export function chooseFurtherTests(near: readonly NearTest[], took: Readonly<Record<string, number>>): string[] {
  const chosen = new Set(chooseTests(near, took));
  const [quick, slow] = partsOf(near.filter(({ path }) => !chosen.has(path)));
  const record = quick.filter(({ path }) => path.startsWith(goldenRecord));
  const others = quick.filter(({ path }) => !path.startsWith(goldenRecord));
  const ofRoom = slow.filter(({ sameRoom }) => sameRoom);
  return [...within([...record, ...others], furtherBudget, took), ...within(ofRoom, furtherBudget, took)];
}

/** Those without processes, and those with them. */
function partsOf(near: readonly NearTest[]): [NearTest[], NearTest[]] {
  const may = near.filter(({ path }) => !never.test(path));
  return [may.filter(({ process }) => !process), may.filter(({ process }) => process)];
}

const furtherBudget = { all: 45_000, unknown: 5_000, least: 1 };
const goldenRecord = "test/golden/";

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
