import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

export interface LogOutput {
  /** Writes one line. Never throws and never waits: a line that cannot be written is dropped and counted. */
  write(line: string): void;
  /** How many lines were dropped since the start. */
  dropped(): number;
}

/** The part of a stream that the log needs. */
export type LogStream = Pick<NodeJS.WriteStream, "write" | "on" | "writableLength" | "destroyed"> & { fd?: number };

/**
 * Creates the log over a stream such as stderr. Lines are dropped when the reader is gone (EPIPE), when the disk is full, and when more
 * than `waitingBytesMax` bytes wait for a slow reader. After a gap, one line says how many lines are missing.
 */
export function createLogOutput(stream: LogStream, waitingBytesMax = 1_048_576): LogOutput {
  let dropped = 0;
  let told = 0;
  // Without a listener, a broken pipe would end the process.
  stream.on("error", () => {});
  const put = isFile(stream.fd) ? putInFile(stream.fd as number) : putInStream(stream, waitingBytesMax);
  const lose = () => {
    dropped++;
  };

  return {
    dropped: () => dropped,
    write(line) {
      const missing = dropped - told;
      if (missing > 0 && put(gapLine(missing), () => {})) told += missing;
      if (!put(line, lose)) lose();
    },
  };
}

/** Writes a line; false: it was not accepted. `lost`: called when an accepted line fails later. */
type Put = (line: string, lost: () => void) => boolean;

function putInStream(stream: LogStream, waitingBytesMax: number): Put {
  return (line, lost) => {
    if (stream.destroyed || stream.writableLength + line.length > waitingBytesMax) return false;
    try {
      stream.write(line, (error) => {
        if (error) lost();
      });
      return true;
    } catch {
      return false;
    }
  };
}

/**
 * Writes lines directly to a file. A stream would close itself at the first error; like this, the log continues when the disk has space
 * again.
 */
function putInFile(fd: number): Put {
  return (line) => {
    try {
      writeSync(fd, line);
      return true;
    } catch {
      return false;
    }
  };
}

function gapLine(missing: number): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level: "warn", event: "log", dropped: missing })}\n`;
}

/** Whether it is a file, or a device such as /dev/null, and not a pipe, a socket or a terminal. */
function isFile(fd: number | undefined): boolean {
  if (fd === undefined || isatty(fd)) return false;
  try {
    const kind = fstatSync(fd);
    return kind.isFile() || kind.isCharacterDevice();
  } catch {
    return false;
  }
}
