/** Told before each file that is worked on: how many are done, and of how many. */
export type TellFiles = (done: number, all: number) => void;

/** The files one after the other; each is told of when its turn comes. */
export function* toldFiles<T>(files: readonly T[], tell?: TellFiles): Generator<T> {
  for (const [done, file] of files.entries()) {
    tell?.(done, files.length);
    yield file;
  }
}
