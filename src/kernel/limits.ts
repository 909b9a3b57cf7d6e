/** Limits of one transaction or message and its answer. An answer that reaches one says so (`partial`). */
export const limits = {
  /** EIP-712: characters of the JSON, structs, members of a struct, values, nesting */
  typedDataCharsMax: 65_536,
  typedStructsMax: 64,
  typedMembersMax: 64,
  typedValuesMax: 4_096,
  typedDepthMax: 16,
  /** calls inside calls */
  callDepthMax: 16,
  unwrappedCallsMax: 512,
  /** of one trace */
  framesMax: 20_000,
  /** of one transaction: more than a block can hold */
  logsMax: 100_000,
  /** logs that rules are tried on; first those of contracts that rules name, and those about the sender */
  matchedLogsMax: 1_024,
  candidatesMax: 256,
  /** logs, and candidates, times the movements that each may look at */
  matchedLogStepsMax: 2_000_000,
  candidateStepsMax: 150_000,
  /** ether, listed tokens and the sender's own movements go first */
  movementsMax: 10_000,
  /** movements examined to follow what one account gave of one asset */
  trailStepsMax: 50_000,
  /** EIP-7702 signers that are recovered: about a millisecond each */
  authorizationsMax: 64,
  /** elements of one decoded array */
  arrayItemsMax: 4_096,
  /** entries of assets_moved; movements of the accounts that the transaction is about may exceed it */
  assetsMax: 200,
  /** with those too, so that a body stays under 256 KB */
  ownAssetsMax: 300,
  /** entries of one list in the evidence; `completeness` has the full numbers */
  evidenceMax: 1_000,
  /** values and rights of a message */
  signedFieldsMax: 32,
  signedGrantsMax: 50,
  counterpartiesMax: 100,
  /** risk_flags get what the other lists leave */
  answerBytesMax: 262_144,
  /** characters of a summary */
  summaryCharsMax: 480,
  /** of the labelled values of one list, and of one array, in a sentence */
  fieldsCharsMax: 300,
  toldElementsMax: 4,
  /** it begins with the block of the simulation */
  previewSummaryCharsMax: 640,
  /** of a preview that was not simulated */
  asksMax: 64,
  /** characters of a summary template */
  templateCharsMax: 280,
  /** nesting of operators */
  conditionDepthMax: 12,
  /** as shown */
  symbolCharsMax: 32,
  nameCharsMax: 128,
  /** with metadata that is read */
  tokensMax: 256,
  /** on-chain proofs of membership */
  readsMax: 256,
} as const;

/** Limits of the service and its tools; browsers need none. */
export const serviceLimits = {
  bodyBytesMax: 4096,
  /** a transaction may not have as much */
  previewBodyBytesMax: 294_912,
  previewDataBytesMax: 131_072,
  /** a page waits so long for prices and balances */
  pagePricesMs: 800,
  /** gas that settlements may cost within an hour which fail in a block, of all payers together: ten of the dearest */
  revertedGasPerHour: 5_000_000,
  /** hashes of a batch, bytes of its body, and milliseconds within which work on its lines may start */
  batchLinesMax: 100,
  batchBodyBytesMax: 16_384,
  batchMs: 60_000,
  /** lines worked on; finished lines that wait for the reader */
  batchAtOnce: 8,
  batchAheadMax: 16,
  /** bytes of drawings that are remembered for a minute */
  drawingBytesMax: 8 * 1024 * 1024,
  /** bytes of remembered previews */
  previewCacheBytes: 16 * 1024 * 1024,
  /** a payment in it takes about 3,100 bytes */
  messageBytesMax: 65_536,
  messageDepthMax: 128,
  subscriptionsMax: 64,
  /** a case with more is decided in a worker thread: logs, call frames, bytes of data, EIP-7702 authorizations */
  hereLogsMax: 200,
  hereFramesMax: 1_000,
  hereBytesMax: 131_072,
  hereAuthorizationsMax: 16,
  /**
   * cases that may wait for one worker thread, and how many of them of one client; a case that is larger than so many times what is
   * decided at once goes to the thread for the largest
   */
  largeWaitingMax: 32,
  largeWaitingPerClient: 2,
  mediumSizeMax: 8,
  /** megabytes of objects that one worker thread may hold */
  threadHeapMb: 288,
  /** milliseconds for which the size of a transaction is remembered that was too large for the time that was left */
  tooLargeMs: 60_000,
  /** milliseconds after the deadline for deciding what was gathered until then */
  decidingMs: 1_000,
  /** waiting to be accepted; the operating system may allow fewer */
  backlogMax: 8_192,
  /** for each gathering of one client that may run at once, so many more may wait for a place */
  clientWaitingShare: 2,
  /** the share of all places that free calls may have where others pay */
  freeShare: 0.75,
  /** callers that may wait for explanations, including callers that share one run */
  callersMax: 2_048,
  /** remembered: unknown, or not in a block yet */
  failuresMax: 10_000,
  /** bytes of remembered answers: tokens, published source code, histories */
  tokenCacheBytes: 8 * 1024 * 1024,
  publishedCacheBytes: 8 * 1024 * 1024,
  historyCacheBytes: 16 * 1024 * 1024,
  /**
   * bytes of answers of endpoints and explorers that are held at once. Objects are about four times as large as their JSON, so this many
   * need 200 MB. A quarter is kept from answers that are not small; one that is almost alone may have more
   */
  bodiesBytesMax: 48 * 1024 * 1024,
  smallBodyBytes: 1024 * 1024,
  bodyAloneBytesMax: 64 * 1024 * 1024,
  /** bytes of one line that the filter command reads: a transaction with the largest of traces */
  lineBytesMax: 64 * 1024 * 1024,
  /** what a thread of the filter gets at once; a single line may be larger */
  blockLinesMax: 64,
  blockBytesMax: 65_536,
  threadsMax: 256,
  /** the largest number that a block can have: 174 years of blocks of 5 milliseconds */
  blockNumberMax: 2 ** 40,
  /** different addresses and topics of one transaction's logs that are looked up in the receipt's bloom filter: four microseconds each */
  bloomedMax: 1_024,
  /** batches of an endpoint after which it is asked for its chain again */
  batchesOfChainMax: 64,
  /** of one list of an explorer */
  explorerPagesMax: 10,
  /** unless a setting says otherwise */
  connectionsMax: 4_000,
  /** on one connection before the first is answered */
  pipelinedMax: 32,
  /** all header fields */
  headerBytesMax: 16_384,
  /** the largest in use have about 3,100 */
  paymentCharsMax: 12_288,
  /** we pay gas for each. A smart wallet's signature has about 1,500 */
  signatureCharsMax: 8_194,
  /** rate limit: of a message without an explanation, such as tools/list */
  messageWeight: 0.25,
  /** rate limit: of a line that is answered again, or whose call was held in vain */
  lineWeight: 0.25,
  /** bytes of static files that one client gets each minute; the API reference has 600 KB */
  staticBytesPerMinute: 16 * 1024 * 1024,
  /** rate limit: all clients together make so many times the mistakes of one */
  mistakesTimes: 50,
  /** rate limit: clients that are remembered */
  ratedClientsMax: 100_000,
} as const;
