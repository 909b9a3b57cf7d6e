/** Least to most talkative. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Log {
  error(fields: LogFields): void;
  warn(fields: LogFields): void;
  info(fields: LogFields): void;
  debug(fields: LogFields): void;
}

/** What a line may hold. Never a body, a header or an address of a caller. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** One JSON object a line. A level above the chosen one costs a call and nothing else. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const rank = logLevels.indexOf(level);
  const at = (name: Exclude<LogLevel, "silent">) =>
    logLevels.indexOf(name) > rank
      ? () => {}
      : (fields: LogFields) => write(`${JSON.stringify({ time: new Date().toISOString(), level: name, ...fields })}\n`);
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
