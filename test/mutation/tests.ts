import type { NearTest } from "./reach.ts";

/** Milliseconds of tests that one change may cost, and of a test file that never ran. */
const budget = 30_000;
const unknown = 2_000;

/**
 * Tests that judge a change of one file, the nearest first. Tests of the same room, then the others, as many as the time allows; those
 * that start processes only where no other test reaches the file. `took`: milliseconds of earlier runs.
 */
export function chooseTests(near: readonly NearTest[], took: Readonly<Record<string, number>>): string[] {
  const quick = near.filter(({ process, path }) => !process && !slow.test(path));
  let spent = 0;
  return (quick.length > 0 ? quick : near.filter(({ path }) => !/^test\/(?:chaos|platform)\//.test(path)))
    .filter(({ path }, i) => {
      spent += took[path] ?? unknown;
      return i < 3 || spent <= budget;
    })
    .map(({ path }) => path);
}

/** Folders whose tests build packages, start services or break them. */
const slow = /^test\/(?:chaos|packaging|platform)\//;
