import explanationSchema from "../../schemas/explanation.schema.json" with { type: "json" };
import passSchema from "../../schemas/pass.schema.json" with { type: "json" };
import paymentRequiredSchema from "../../schemas/payment-required.schema.json" with { type: "json" };
import requestSchema from "../../schemas/request.schema.json" with { type: "json" };

type Json = Record<string, unknown>;

/** Arguments of explain_transaction. */
export const explainInput: Json = bare(requestSchema);

/** No arguments. */
export const noInput: Json = { type: "object", properties: {}, additionalProperties: false };

/** The result of explain_transaction, or a challenge. */
export function explainOutput(actionTypes: readonly string[]): Json {
  const { properties, ...schema } = bare(explanationSchema);
  const known = properties as Record<string, Json>;
  const listed = { ...known, action_type: { ...known.action_type, enum: [...actionTypes] } };
  return orChallenge({ ...schema, properties: listed });
}

/** The result of buy_pass, or a challenge. */
export const passOutput: Json = orChallenge(bare(passSchema));

/** Some clients check structured content against the schema even in an error, and want `type` at its root. */
function orChallenge(result: Json): Json {
  return { type: "object", anyOf: [result, bare(paymentRequiredSchema)] };
}

/** Without `$id`, because some clients cache compiled schemas by it across servers. */
function bare({ $schema: _dialect, $id: _id, ...schema }: Json): Json {
  return schema;
}
