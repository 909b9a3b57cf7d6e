/** Called before each file. */
export type OnFile = (done: number, all: number) => void;

export function* withProgress<T>(files: readonly T[], onFile?: OnFile): Generator<T> {
  for (const [done, file] of files.entries()) {
    onFile?.(done, files.length);
    yield file;
  }
}
