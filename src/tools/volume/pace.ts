import type { Clock } from "../../gather/network/health/endpoint-health.ts";

/** Measures a long run from now on. `before`: what earlier runs did, as a share. */
export function startPace(clock: Clock = Date, before = 0) {
  const start = clock.now();
  return {
    /** `1,200 done, 450 a second, 3 min left`. `share`: done so far, 0 to 1. */
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

/** Rounded up, so that the run does not take longer than it says. */
function describeTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
