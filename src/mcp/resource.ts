import type { Catalog } from "../ruleset/catalog.ts";

/** A resource as `resources/list` shows it, with its text. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "application/json";
  readonly text: string;
}

/** Lists what the service knows, for agents that want to look before they ask. */
export function listResources({ protocols, actionTypes }: Catalog): Resource[] {
  return [
    {
      uri: "txgloss://rules",
      name: "rules",
      title: "Protocols that are known",
      description: "Every protocol with rules of its own, and the action types that these rules can find.",
      mimeType: "application/json",
      text: JSON.stringify({ protocols }),
    },
    {
      uri: "txgloss://action-types",
      name: "action-types",
      title: "Action types",
      description: "Every value of action_type with its definition, and the kind of evidence that establishes it.",
      mimeType: "application/json",
      text: JSON.stringify({ action_types: actionTypes }),
    },
  ];
}
