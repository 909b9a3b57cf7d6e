/** A path that leads nowhere; the message says what is wrong with it. */
export class PathError extends Error {
  readonly #meant: (() => string | undefined) | undefined;

  constructor(message: string, meant?: () => string | undefined) {
    super(message);
    this.name = "PathError";
    this.#meant = meant;
  }

  /** What was probably meant. Attempts try paths that may not resolve, so it is worked out only when it is told. */
  get suggestion(): string | undefined {
    return this.#meant?.();
  }
}
