/** From the fewest lines to the most. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Logger {
  error(fields: LogFields): void;
  warn(fields: LogFields): void;
  info(fields: LogFields): void;
  debug(fields: LogFields): void;
}

/** Never a body, a header or a caller's address. */
export type LogFields = Record<string, string | number | boolean | undefined>;

/** Stack and causes. Only protocol and host of URLs, no passes, no word longer than a hash: they may be secrets. */
export function describeCause(thrown: unknown): string {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const cause =
    thrown instanceof Error && thrown.cause !== undefined ? `\ncaused by ${describeCause(thrown.cause)}` : "";
  return `${text}${cause}`
    .replace(/\b(https?|postgres(?:ql)?):\/\/[^\s"'<>)]+/g, hostOnly)
    .replace(/\bsvc_[0-9a-f]{24}_[0-9a-f]{64}/g, "(a pass)")
    .replace(/(?:0x)?[0-9a-f]{65,}/gi, "(long hex)")
    .replace(/[\w+/-]{120,}={0,2}/g, "(long text)");
}

/** Codes and names from the outside in: `payments_unavailable < TypeError < ENOTFOUND`. Texts may hold a payment, so none is used. */
export function codesOf(thrown: unknown): string {
  const codes: string[] = [];
  for (let error = thrown; error instanceof Error && codes.length < codesMax; error = error.cause) {
    const { code } = error as { code?: unknown };
    codes.push(typeof code === "string" && /^\w{1,64}$/.test(code) ? code : error.name);
  }
  return codes.join(" < ");
}

const codesMax = 6;

function hostOnly(text: string): string {
  return URL.canParse(text) ? `${new URL(text).protocol}//${new URL(text).host}` : "(an address)";
}

/** One JSON object a line. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  const rank = logLevels.indexOf(level);
  const at = (name: Exclude<LogLevel, "silent">) =>
    logLevels.indexOf(name) > rank
      ? () => {}
      : (fields: LogFields) => write(`${JSON.stringify({ time: new Date().toISOString(), level: name, ...fields })}\n`);
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
