/** A line that says what is being done. The next text replaces it. */
export interface Progress {
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** Writes to a terminal only, because such lines do not belong in a log or a pipe. */
export function openProgress(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => void stream.write(`\r\u001b[K${text}`),
    clear: () => void stream.write("\r\u001b[K"),
  };
}
