/** Who asks for work. Shares of places and of time are kept by it. */
export interface Asker {
  /** Names the client, the pass or the payer. Work of the same name counts together. */
  readonly client: string;
  /** Whether the work is given away where others pay for theirs. Then a part of all places and times is kept from it. */
  readonly free?: boolean;
  /** Called when the work begins, perhaps after a wait. Throws ServiceError where the share was used up meanwhile. */
  check?(): void;
  /** Called once it is known how large the work is, before it is decided. 1: the largest that is not large. */
  spend?(size: number): void;
}
