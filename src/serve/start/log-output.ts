import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

export interface LogOutput {
  /** Never throws or waits; dropped lines are counted. */
  write(line: string): void;
  /** Since the start. */
  dropped(): number;
}

export type LogStream = Pick<NodeJS.WriteStream, "write" | "on" | "writableLength" | "destroyed"> & { fd?: number };

/** Drops lines when the reader is gone (EPIPE), the disk is full, or over `waitingBytesMax` bytes wait; a line then says how many. */
export function createLogOutput(stream: LogStream, waitingBytesMax = 1_048_576): LogOutput {
  let dropped = 0;
  let told = 0;
  // A broken pipe would end the process.
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

/** false: refused. `lost`: an accepted line failed later. */
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

/** A stream would close at the first error. */
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

/** Or a device such as /dev/null. */
function isFile(fd: number | undefined): boolean {
  if (fd === undefined || isatty(fd)) return false;
  try {
    const kind = fstatSync(fd);
    return kind.isFile() || kind.isCharacterDevice();
  } catch {
    return false;
  }
}
