import type { NetAsset, NetFlow } from "../../model/match.ts";
import type { KnownItem, SeenContract, Survey } from "./survey.ts";

/** One rule that the transaction could be an example of. */
export interface Draft {
  id: string;
  action: string;
  /** YAML lines between `action` and `summary`, without indent. */
  match: string[];
  summary: string;
  contract: SeenContract;
  /** ABI items that the rule uses. */
  uses: KnownItem[];
}

/** Rules that could explain the transaction, the best proven first. */
export function draftRules(survey: Survey): Draft[] {
  const { flow } = survey;
  const rest = { action: actionFor(flow), summary: summaryFor(flow) };
  const own = `flow: { gives: ${sideText(flow.gives, flow)}, gets: ${sideText(flow.gets, flow)} }`;
  const events = survey.contracts.flatMap((contract) =>
    contract.logs.flatMap(({ log, known }): Draft[] => {
      if (known === undefined || known.item.kind !== "event") return [];
      const values = known.item.read(log.topics, log.data) ?? [];
      const place = values.indexOf(survey.subject);
      const who = place < 0 ? [] : [`who: args.${known.item.inputs.names[place]}`];
      const match = [`event: ${known.name}`, `at: ${contract.role}`, ...who, own];
      return [{ ...rest, id: kebab(known.name), match, contract, uses: [known] }];
    }),
  );
  const calls = survey.contracts.flatMap((contract) =>
    contract.calls.map(({ known }): Draft => {
      const name = known?.name ?? "any";
      const uses = known === undefined ? [] : [known];
      return {
        ...{ ...rest, contract, uses },
        id: known === undefined ? "use" : kebab(known.name),
        match: [`call: ${name}`, `at: ${contract.role}`, own],
      };
    }),
  );
  return [
    ...events.filter(namesSubject),
    ...calls.filter(({ uses }) => uses.length > 0),
    ...events.filter((draft) => !namesSubject(draft)),
    ...calls.filter(({ uses }) => uses.length === 0),
  ];
}

function namesSubject({ match }: Draft): boolean {
  return match.some((line) => line.startsWith("who:"));
}

/** What such a flow most often is; a person has to look at it. */
function actionFor({ gives, gets }: NetFlow): string {
  const isNft = (asset: NetAsset) => asset.kind === "nft";
  if (gives.length > 0 && gets.length > 0) return [...gives, ...gets].some(isNft) ? "nft_sale" : "swap";
  if (gets.length > 0) return "claim";
  return gives.length > 0 ? "payment" : "social_action";
}

function sideText(assets: readonly NetAsset[], { complete }: NetFlow): string {
  if (assets.length === 0) return complete ? "nothing" : "any";
  const kinds = new Set(assets.map((asset) => asset.kind));
  const [kind] = kinds.size === 1 ? kinds : [""];
  const count = assets.length === 1 && complete ? "one" : assets.length === 1 ? "some" : "several";
  return `${count} ${kind}`.trim();
}

function summaryFor({ gives, gets }: NetFlow): string {
  if (gives.length > 0 && gets.length > 0) return "{subject} gave {gives} and got {gets} on {protocol}";
  if (gets.length > 0) return "{subject} got {gets} from {protocol}";
  return gives.length > 0 ? "{subject} gave {gives} to {protocol}" : "{subject} used {protocol}";
}

function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase();
}
