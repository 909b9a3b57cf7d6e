/** What limits the work on one transaction or message, and the answer to it. An answer that reaches one says so (`partial`). */
export const limits = {
  /** typed data (EIP-712): characters of its JSON, its structs and the members of one, values, nesting */
  typedDataCharsMax: 65_536,
  typedStructsMax: 64,
  typedMembersMax: 64,
  typedValuesMax: 4_096,
  typedDepthMax: 16,
  /** nesting of calls inside calls that is followed */
  callDepthMax: 16,
  /** unwrapped calls of one transaction */
  unwrappedCallsMax: 512,
  /** call frames of one trace */
  framesMax: 20_000,
  /** logs of one transaction that are read: more than a block can hold */
  logsMax: 100_000,
  /** logs that rules are tried on; those of contracts that rules name, and those about the sender, come first */
  matchedLogsMax: 1_024,
  /** fits of rules among which the actions are chosen */
  candidatesMax: 256,
  /** the same times the movements that each may look at: fewer logs and fits where much moved */
  matchedLogStepsMax: 2_000_000,
  candidateStepsMax: 150_000,
  /** movements of one transaction; ether, listed tokens and the sender's own come first */
  movementsMax: 10_000,
  /** movements that are looked at to follow what one account gave of one asset */
  trailStepsMax: 50_000,
  /** EIP-7702 authorizations of one transaction whose signers are worked out: about a millisecond each */
  authorizationsMax: 64,
  /** elements of one decoded array of calldata or of an event */
  arrayItemsMax: 4_096,
  /** entries of assets_moved; those of the accounts that the transaction is about may be more */
  assetsMax: 200,
  /** entries of assets_moved whosever they are, so that a body stays under 256 KB */
  ownAssetsMax: 300,
  /** entries of one list in the evidence; its totals say how many there are */
  evidenceMax: 1_000,
  /** entries of the values and of the rights of a message */
  signedFieldsMax: 32,
  signedGrantsMax: 50,
  /** entries of counterparties */
  counterpartiesMax: 25,
  /** characters of a summary */
  summaryCharsMax: 480,
  /** characters of the labelled values of one list, and elements of an array, that a sentence tells */
  fieldsCharsMax: 300,
  toldElementsMax: 4,
  /** the same before signing, where it begins with the block of the simulation */
  previewSummaryCharsMax: 640,
  /** actions and rights that a transaction which nobody simulated asks for and that are listed */
  asksMax: 64,
  /** characters of a summary template */
  templateCharsMax: 280,
  /** operators nested in one condition */
  conditionDepthMax: 12,
  /** characters of a token symbol or name as it is shown */
  symbolCharsMax: 32,
  nameCharsMax: 128,
  /** tokens whose metadata is read for one transaction */
  tokensMax: 256,
  /** on-chain reads for proofs of membership in one transaction */
  readsMax: 256,
} as const;

/** What limits the service, its tools, and whoever calls them. Browsers need none of it. */
export const serviceLimits = {
  /** bytes of a request body */
  bodyBytesMax: 4096,
  /** bytes of a body of /preview, and of the calldata in it: more than a transaction may have */
  previewBodyBytesMax: 294_912,
  previewDataBytesMax: 131_072,
  /** milliseconds for which a page waits for prices and balances */
  pagePricesMs: 800,
  /** hashes of a batch, bytes of its body, and milliseconds in which work for its lines is begun */
  batchLinesMax: 100,
  batchBodyBytesMax: 16_384,
  batchMs: 60_000,
  /** lines of a batch that are worked on at once, and that may be ready before the caller has read the ones before them */
  batchAtOnce: 8,
  batchAheadMax: 16,
  /** bytes of remembered previews */
  previewCacheBytes: 16 * 1024 * 1024,
  /** bytes of an MCP message; a payment inside of it is about 3,100 */
  messageBytesMax: 65_536,
  /** nesting of objects and arrays in it */
  messageDepthMax: 128,
  /** open streams of MCP subscriptions */
  subscriptionsMax: 64,
  /** a case with more than these is decided in a worker thread: logs, call frames, bytes of data, EIP-7702 authorizations */
  hereLogsMax: 200,
  hereFramesMax: 1_000,
  hereBytesMax: 131_072,
  hereAuthorizationsMax: 16,
  /** cases that may wait for the worker thread */
  largeWaitingMax: 32,
  /** milliseconds beyond the deadline for deciding what was gathered until then */
  decidingMs: 1_000,
  /** connections that may wait to be accepted; the system may allow fewer */
  backlogMax: 8_192,
  /** callers that may wait for explanations, those that share one together */
  callersMax: 2_048,
  /** transactions of which it is remembered that they are not known, or not in a block yet */
  failuresMax: 10_000,
  /** bytes of remembered answers about tokens, about published source code, and about histories of accounts */
  tokenCacheBytes: 8 * 1024 * 1024,
  publishedCacheBytes: 8 * 1024 * 1024,
  historyCacheBytes: 16 * 1024 * 1024,
  /** bytes of answers of endpoints and explorers that are held at once; one answer may have two thirds of them */
  bodiesBytesMax: 96 * 1024 * 1024,
  /** bytes of one line that the filter reads: a transaction with the largest of traces */
  lineBytesMax: 64 * 1024 * 1024,
  /** lines and bytes that a thread of the filter is given at once; one line may be more */
  blockLinesMax: 64,
  blockBytesMax: 65_536,
  /** threads of the filter */
  threadsMax: 256,
  /** pages of a paged explorer list */
  explorerPagesMax: 10,
  /** open connections, unless a setting says otherwise */
  connectionsMax: 4_000,
  /** requests that one connection may send without having an answer to the first */
  pipelinedMax: 32,
  /** bytes of all header fields of a request */
  headerBytesMax: 16_384,
  /** characters of a payment in a header; the largest in use are about 3,100 */
  paymentCharsMax: 12_288,
  /** characters of a payment's signature, wherever it comes in: we pay gas for each. A smart wallet's are about 1,500 */
  signatureCharsMax: 8_194,
  /** how much of a request an MCP message is that asks for no explanation, such as tools/list */
  messageWeight: 0.25,
  /** how much of a request a line of a batch is that is told again, or that a call was held for in vain */
  lineWeight: 0.25,
  /** clients whose rate is remembered */
  ratedClientsMax: 100_000,
} as const;
