// What an endpoint may offer, as plain values. Each operation is one of a project's API, at the endpoint's own address
// and with the endpoint's own model.

/** For each operation its routes, by their names in `openAiRoutes`, and what they do at an endpoint. */
export const OPERATIONS = {
  chat: { completeChat: 'Creates a chat completion with the deployment at this address.' },
  responses: { createResponse: 'Creates a response with the deployment at this address.' },
  completions: { createCompletion: 'Continues texts with the deployment at this address.' },
  embeddings: { createEmbeddings: 'Embeds texts with the deployment at this address.' },
  messages: { createMessage: "Creates a message in Anthropic's format with the deployment at this address." },
  models: {
    listModels: 'Lists the one model that the deployment at this address serves.',
    getModel: 'Returns the model that the deployment at this address serves.',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type Operation = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as Operation[];

/** The operation that a route belongs to. */
export function operationOf(route: string): Operation {
  return OPERATION_NAMES.find(name => Object.hasOwn(OPERATIONS[name], route))!;
}

/** What every endpoint offers, and all that it offers unless its owner adds to it. */
export const DEFAULT_OPERATION: Operation = 'chat';
