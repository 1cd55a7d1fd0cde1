// Calls whose answers are held against the clients' own types, in all the shapes that answers have.

export interface OfficialCall {
  name: string;
  /** Below `/openai/v1`. Here and in the body, the name of an earlier call in braces stands for the ID in its answer. */
  path: string;
  /** Sent with POST; without one, the call is a GET. */
  body?: object;
  headers?: Record<string, string>;
  /** Whether each item of a page, or each event, has the type. Default: the whole answer. */
  form?: 'page' | 'events';
  /** The types' names in TypeScript and in Python. */
  node: string;
  /** Missing where the API differs from its types. */
  python?: string;
}

const model = 'test/model';
const messages = [{ role: 'user', content: 'hi' }];
const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };
const schema = { type: 'object', properties: {}, additionalProperties: false };

const chat = { model, messages, logprobs: true, top_logprobs: 1 };
const chatTools = { model, messages, tools: [{ type: 'function', function: { name: 'look', parameters } }] };
const response = { model, input: 'hi', include: ['message.output_text.logprobs'], top_logprobs: 1 };
const responseTools = {
  model,
  input: 'hi',
  instructions: 'Be brief.',
  metadata: { a: 'b' },
  reasoning: { effort: 'low' },
  text: { format: { type: 'json_schema', name: 'answer', schema }, verbosity: 'low' },
  tools: [{ type: 'function', name: 'look', parameters, strict: true }],
  tool_choice: { type: 'function', name: 'look' },
};
const message = { model, messages, max_tokens: 9 };
const messageTools = { ...message, tools: [{ name: 'look', input_schema: parameters }] };
const completion = { model, prompt: 'hi', logprobs: 1 };

const completed = { node: 'OpenAI.ChatCompletion', python: 'openai.types.chat.ChatCompletion' };
const chunks = {
  form: 'events',
  node: 'OpenAI.ChatCompletionChunk',
  python: 'openai.types.chat.ChatCompletionChunk',
} as const;
const responded = { node: 'OpenAI.Responses.Response', python: 'openai.types.responses.Response' };
const responseEvents = {
  form: 'events',
  node: 'OpenAI.Responses.ResponseStreamEvent',
  python: 'openai.types.responses.ResponseStreamEvent',
} as const;
const said = { node: 'Anthropic.Message', python: 'anthropic.types.Message' };
const messageEvents = {
  form: 'events',
  node: 'Anthropic.RawMessageStreamEvent',
  python: 'anthropic.types.RawMessageStreamEvent',
} as const;
const text = { node: 'OpenAI.Completion', python: 'openai.types.Completion' };
const job = { node: 'OpenAI.FineTuning.FineTuningJob', python: 'openai.types.fine_tuning.FineTuningJob' };
const file = { node: 'OpenAI.FileObject', python: 'openai.types.FileObject' };
const info = { node: 'Anthropic.ModelInfo', python: 'anthropic.types.ModelInfo' };
const items = {
  form: 'page',
  node: 'OpenAI.Conversations.ConversationItem',
  python: 'openai.types.conversations.ConversationItem',
} as const;
const conversation = {
  node: 'OpenAI.Conversations.Conversation',
  python: 'openai.types.conversations.Conversation',
};
const openAiModel = { node: 'OpenAI.Model', python: 'openai.types.Model' };

const withUsage = { stream: true, stream_options: { include_usage: true } };
const streamed = { stream: true };
const headers = { 'anthropic-version': '2023-06-01' };

export const CALLS: readonly OfficialCall[] = [
  { name: 'chat', path: '/chat/completions', body: { ...chat, n: 2 }, ...completed },
  { name: 'chatWithTools', path: '/chat/completions', body: chatTools, ...completed },
  { name: 'chatStreamed', path: '/chat/completions', body: { ...chat, ...withUsage }, ...chunks },
  {
    name: 'chatWithToolsStreamed',
    path: '/chat/completions',
    body: { ...chatTools, ...streamed },
    ...chunks,
  },
  { name: 'response', path: '/responses', body: response, ...responded },
  { name: 'responseWithTools', path: '/responses', body: responseTools, ...responded },
  { name: 'responseStreamed', path: '/responses', body: { ...response, ...streamed }, ...responseEvents },
  {
    name: 'responseWithToolsStreamed',
    path: '/responses',
    body: { ...responseTools, ...streamed },
    ...responseEvents,
  },
  {
    name: 'responseTokens',
    path: '/responses/input_tokens',
    body: { model, input: 'hi' },
    node: 'OpenAI.Responses.InputTokenCountResponse',
    python: 'openai.types.responses.InputTokenCountResponse',
  },
  { name: 'completion', path: '/completions', body: completion, ...text },
  {
    name: 'completionStreamed',
    path: '/completions',
    body: { ...completion, ...withUsage },
    form: 'events',
    node: 'TextChunk',
  },
  {
    name: 'embeddings',
    path: '/embeddings',
    body: { model, input: 'hi' },
    node: 'OpenAI.CreateEmbeddingResponse',
    python: 'openai.types.CreateEmbeddingResponse',
  },
  { name: 'models', path: '/models', form: 'page', ...openAiModel },
  { name: 'model', path: `/models/${model}`, ...openAiModel },
  { name: 'message', path: '/messages', body: message, ...said },
  { name: 'messageStopped', path: '/messages', body: { ...message, stop_sequences: ['END'] }, ...said },
  { name: 'messageWithTools', path: '/messages', body: messageTools, ...said },
  { name: 'messageStreamed', path: '/messages', body: { ...message, ...streamed }, ...messageEvents },
  {
    name: 'messageWithToolsStreamed',
    path: '/messages',
    body: { ...messageTools, ...streamed },
    ...messageEvents,
  },
  {
    name: 'messageTokens',
    path: '/messages/count_tokens',
    body: { model, messages },
    node: 'Anthropic.MessageTokensCount',
    python: 'anthropic.types.MessageTokensCount',
  },
  {
    name: 'messageRefused',
    path: '/messages',
    body: { model },
    node: 'Anthropic.ErrorResponse',
    python: 'anthropic.types.ErrorResponse',
  },
  { name: 'modelsOfAnthropic', path: '/models', headers, form: 'page', ...info },
  { name: 'modelOfAnthropic', path: `/models/${model}`, headers, ...info },
  { name: 'files', path: '/files', form: 'page', ...file },
  { name: 'file', path: '/files/{file}', ...file },
  { name: 'jobs', path: '/fine_tuning/jobs', form: 'page', ...job },
  { name: 'job', path: '/fine_tuning/jobs/{job}', ...job },
  {
    name: 'jobEvents',
    path: '/fine_tuning/jobs/{job}/events',
    form: 'page',
    node: 'OpenAI.FineTuning.FineTuningJobEvent',
    python: 'openai.types.fine_tuning.FineTuningJobEvent',
  },
  {
    name: 'jobCheckpoints',
    path: '/fine_tuning/jobs/{job}/checkpoints',
    form: 'page',
    node: 'OpenAI.FineTuning.Jobs.FineTuningJobCheckpoint',
    python: 'openai.types.fine_tuning.jobs.FineTuningJobCheckpoint',
  },
  { name: 'storedResponse', path: '/responses/{responseWithTools}', ...responded },
  {
    name: 'inputItems',
    path: '/responses/{responseWithTools}/input_items',
    form: 'page',
    node: 'OpenAI.Responses.ResponseItem',
    python: 'openai.types.responses.ResponseItem',
  },
  {
    name: 'conversation',
    path: '/conversations',
    body: { items: [{ type: 'message', ...messages[0] }] },
    ...conversation,
  },
  { name: 'storedConversation', path: '/conversations/{conversation}', ...conversation },
  { name: 'conversationItems', path: '/conversations/{conversation}/items', ...items },
  { name: 'chatToStore', path: '/chat/completions', body: { ...chatTools, store: true }, ...completed },
  { name: 'storedChats', path: '/chat/completions', form: 'page', ...completed },
  { name: 'storedChat', path: '/chat/completions/{chatToStore}', ...completed },
  {
    name: 'batch',
    path: '/batches',
    body: { input_file_id: '{requests}', endpoint: '/v1/chat/completions', completion_window: '24h' },
    node: 'OpenAI.Batch',
    python: 'openai.types.Batch',
  },
];
