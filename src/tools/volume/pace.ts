import type { Clock } from "../../gather/network/health/endpoint-health.ts";

/**
 * Measures how fast a long run is from now on, and how long it will still take. `before`: what earlier runs did, as a share of all work.
 */
export function startPace(clock: Clock = Date, before = 0) {
  const start = clock.now();
  return {
    /**
     * A line such as `1,200 done, 450 a second, 3 min left`. `share`: the share of all work that is done, from 0 to 1, where it is known.
     */
    describe(done: number, share?: number): string {
      const seconds = (clock.now() - start) / 1000;
      const told = [`${done.toLocaleString("en")} done`];
      if (seconds > 0) told.push(`${describeRate(done / seconds)} a second`);
      if (share !== undefined && share > before)
        told.push(`${describeTime((seconds * (1 - share)) / (share - before))} left`);
      return told.join(", ");
    },
  };
}

function describeRate(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en");
}

/** A time, rounded up so that the run does not take longer than it says. */
function describeTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
