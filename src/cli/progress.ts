/** What is under way, on a line of its own that the next one replaces. */
export interface Progress {
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** Writes to a terminal only: in a log or a pipe such lines are noise. */
export function openProgress(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => void stream.write(`\r\u001b[K${text}`),
    clear: () => void stream.write("\r\u001b[K"),
  };
}
