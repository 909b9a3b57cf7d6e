/** Levels of the log, from the fewest lines to the most. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Logger {
  error(fields: LogFields): void;
  warn(fields: LogFields): void;
  info(fields: LogFields): void;
  debug(fields: LogFields): void;
}

/** The fields of a line. A body, a header or a caller's address must never be in it. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** Writes one JSON object per line. Lines beyond `level` are never built. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  const rank = logLevels.indexOf(level);
  const at = (name: Exclude<LogLevel, "silent">) =>
    logLevels.indexOf(name) > rank
      ? () => {}
      : (fields: LogFields) => write(`${JSON.stringify({ time: new Date().toISOString(), level: name, ...fields })}\n`);
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
