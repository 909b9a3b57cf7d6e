/** The tables of pg-boss. */
export const jobsSchema = "txgloss_jobs";

/** pg-boss fails a job that was not heard of for so long, and gives it to somebody else. */
export const heartbeatSeconds = 15;

/** Advisory locks. `tables` and `plan`: one at a time. `parts`: shared by who publishes, alone for who sweeps. */
export const locks = { tables: 8_453_101, plan: 8_453_102, parts: 8_453_103 } as const;
