import { type FileHandle, open } from "node:fs/promises";

export interface EarlierAnswers {
  /** Whole. */
  lines: number;
  /** Whole. */
  last: string | null;
}

/**
 * Opens to append. An unfinished last line is cut off and answered again. Rejects with the file system's error, and `ENOTFILE` for anything
 * but a file.
 */
export async function openResumed(path: string) {
  const file = await open(path, "a+");
  // Reading a device or a pipe might never end.
  if (!(await file.stat()).isFile()) {
    await file.close();
    throw Object.assign(new Error(`${path} is no file`), { code: "ENOTFILE", path });
  }
  const { size, ...earlier } = await readWhole(file);
  await file.truncate(size);
  return {
    earlier,
    async write(bytes: Uint8Array): Promise<void> {
      // A write may write only a part, for example on a full disk. The next one then fails with the reason.
      for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
    },
    /** Writes everything to disk. */
    async close(): Promise<void> {
      await file.sync();
      await file.close();
    },
  };
}

const chunkBytes = 1 << 20;
const lineFeed = 10;

/** `size`: up to the end of the last one. */
async function readWhole(file: FileHandle): Promise<EarlierAnswers & { size: number }> {
  const chunk = Buffer.alloc(chunkBytes);
  let lines = 0;
  let size = 0;
  let before = 0;
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    for (let from = chunk.indexOf(lineFeed); from >= 0 && from < bytesRead; from = chunk.indexOf(lineFeed, from + 1)) {
      lines++;
      before = size;
      size = at + from + 1;
    }
    at += bytesRead;
  }
  if (lines === 0) return { lines, size, last: null };
  const last = Buffer.alloc(size - before - 1);
  await file.read(last, 0, last.length, before);
  return { lines, size, last: last.toString("utf8") };
}
