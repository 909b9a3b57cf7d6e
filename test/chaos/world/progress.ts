/** Tells on stderr, every few seconds, how far a long run is. */
export function startProgress(name: string, describe: () => { done: number; of: number; text: string }): () => void {
  const started = Date.now();
  const timer = setInterval(() => {
    const { done, of, text } = describe();
    const seconds = (Date.now() - started) / 1000;
    const left = done === 0 ? "?" : Math.ceil((seconds / done) * Math.max(0, of - done));
    console.error(`${name}: ${text}, ${Math.round(seconds)} s gone, about ${left} s left`);
  }, 5_000);
  return () => clearInterval(timer);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Asks again and again until the answer is true. Gives false when the time is over. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, ms: number, everyMs = 100): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(everyMs)) if (await isSo()) return true;
  return false;
}
