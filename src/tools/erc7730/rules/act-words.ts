/** Verbs that begin the description of an act. */
const verbs = new Set(
  `accept acknowledge acquire act activate add adjust admit affiliate agree allow amend apply approve arbitrate ask assign
  attest auction authenticate authorise authorize award back batch bid bind block borrow bridge burn buy call cancel cast
  change check claim close collect comment commit complete confirm connect consent convert copy create deactivate
  deaffiliate decline decrease delegate delete delist deploy deposit dequeue deregister disable disconnect dispute divest
  do donate edit enable encrypt end enroll enter exchange execute exercise exit extend farm fill finalise finalize flag
  flash follow forward freeze fulfil fulfill fund generate give grant harvest hold import include increase initialise
  initialize initiate install invalidate invest invite issue join keep launch lease leave lend let link liquidate list
  load lock log make manage mark match merge migrate mint mirror modify move nominate notify offer open opt order pause
  pay permit place play pledge post prepare process propose protect prove publish purchase put quote raise receive reclaim
  record recover redeem redelegate reduce reenter refresh refund refuse register reject release relist relock remove renew
  renounce rent reorder repay replace report reprice request reserve reset resolve restake restore resume retire return
  reveal revoke roll rotate run save sell send set settle setup share show sign skip slash spend split stake start stop
  store submit subscribe supply support swap switch sync tip top trade transfer trigger unblock undelegate unfollow
  unfreeze unlink unlist unlock unpause unregister unstake unsubscribe unwhitelist unwrap update upgrade upload upvote use
  validate verify vote whitelist withdraw wrap`
    .trim()
    .split(/\s+/),
);

/** `Mint a token`, not `DAO token`. Only the first word counts; a "/" ends it too. */
export function namesAct(words: string): boolean {
  return verbs.has(/^[A-Za-z]*/.exec(words)?.[0].toLowerCase() ?? "");
}
