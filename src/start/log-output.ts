import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

export interface LogOutput {
  /** Writes one line. Never throws and never waits: a line that cannot be taken is dropped and counted. */
  write(line: string): void;
  /** Lines that were dropped since the start. */
  dropped(): number;
}

/** The part of a stream that the log needs. */
export type LogStream = Pick<NodeJS.WriteStream, "write" | "on" | "writableLength" | "destroyed"> & { fd?: number };

/**
 * The log over a stream such as stderr. A reader that went away (EPIPE) or a full disk drops lines. A reader that stands still drops
 * them once `waitingBytesMax` bytes wait for it. The first line after a gap is preceded by one that tells how many are missing.
 */
export function createLogOutput(stream: LogStream, waitingBytesMax = 1_048_576): LogOutput {
  let dropped = 0;
  let told = 0;
  // Without a listener a broken pipe would end the process.
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

/** Whether the line was taken. `lost` is called when it was and then failed. */
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

/** A stream over a file closes itself at the first error. Written directly, the log goes on when the disk has room again. */
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

/** Whether it is a file or a device such as /dev/null: neither a pipe, nor a socket, nor a terminal. */
function isFile(fd: number | undefined): boolean {
  if (fd === undefined || isatty(fd)) return false;
  try {
    const kind = fstatSync(fd);
    return kind.isFile() || kind.isCharacterDevice();
  } catch {
    return false;
  }
}
