/** Given away on a UTC day, in all; each process for itself. */
export interface DayBudget {
  /** false: none is left today. */
  take(): boolean;
  giveBack(): void;
}

/** `perDay` 0: no limit. `now`: ms. */
export function createDayBudget(perDay: number, now: () => number): DayBudget {
  let day = 0;
  let used = 0;
  return {
    take() {
      const today = Math.floor(now() / 86_400_000);
      if (today !== day) [day, used] = [today, 0];
      if (perDay !== 0 && used >= perDay) return false;
      used++;
      return true;
    },
    giveBack() {
      used = Math.max(0, used - 1);
    },
  };
}
