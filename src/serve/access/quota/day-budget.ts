/** What may be given away on one UTC day, in all. Each process counts for itself, from its start. */
export interface DayBudget {
  /** Takes one of today's; false: none is left. */
  take(): boolean;
  giveBack(): void;
}

/** Creates a budget. `perDay` 0 means no limit; `now` is in milliseconds. */
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
