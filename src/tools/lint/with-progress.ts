/** Called before each file: how many files are done, and how many there are. */
export type OnFile = (done: number, all: number) => void;

/** Gives the files one after the other, and calls `onFile` before each. */
export function* withProgress<T>(files: readonly T[], onFile?: OnFile): Generator<T> {
  for (const [done, file] of files.entries()) {
    onFile?.(done, files.length);
    yield file;
  }
}
