/** One line; each text replaces the one before. */
export interface Progress {
  show(text: string): void;
  clear(): void;
}

/** Writes only to a terminal, not to a log or a pipe. */
export function openProgress(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => void stream.write(`\r\u001b[K${text}`),
    clear: () => void stream.write("\r\u001b[K"),
  };
}

/** `1,204 of 6,000, 90 a second, 53 s left`. */
export function progressText({ done, all, ms }: { done: number; all: number; ms: number }): string {
  const rate = done / Math.max(ms / 1000, 0.001);
  const left = rate > 0 ? `, ${Math.round(rate)} a second, ${Math.ceil((all - done) / rate)} s left` : "";
  return `${done.toLocaleString("en")} of ${all.toLocaleString("en")}${left}`;
}
