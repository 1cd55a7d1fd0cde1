// The calls whose answers are held against the clients' own types, in all the shapes that answers have.
import {
  act,
  get,
  type OfficialCall,
  ofAnthropic,
  openAi,
  orError,
  pageOf,
  post,
  refused,
  refusedByAnthropic,
  remove,
  send,
  type Typed,
} from './official-call.js';

const model = 'test/model';
const saying = (content: string) => [{ role: 'user', content }];
/** A text that ends by itself. There are `cut`, `wait`, `fail`, `break` and more, as the backend of the test reads them. */
const messages = saying('hi');
const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };
const schema = { type: 'object', properties: {}, additionalProperties: false };

const chat = { model, messages, logprobs: true, top_logprobs: 1 };
const chatTools = { model, messages, tools: [{ type: 'function', function: { name: 'look', parameters } }] };
const functions = [{ name: 'look', parameters }];
const response = { model, input: 'hi', include: ['message.output_text.logprobs'], top_logprobs: 1 };
const background = { model, input: 'hi', background: true };
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
const echoing = { model, prompt: 'hi', echo: true };
const item = { type: 'message', role: 'user', content: 'hi' };
const tuning = { model, training_file: '{file}' };
const batching = { input_file_id: '{requests}', endpoint: '/v1/chat/completions', completion_window: '24h' };
const grader = {
  type: 'string_check',
  name: 'exact',
  operation: 'eq',
  input: '{{ sample.output_text }}',
  reference: '{{ item.answer }}',
};
const reinforcement = { type: 'reinforcement', reinforcement: { grader } };
const grading = { grader, item: { answer: 'hi' }, model_sample: 'hi' };
const uploading = { bytes: 4, filename: 'a.jsonl', mime_type: 'text/jsonl', purpose: 'batch' };

const withUsage = { stream: true, stream_options: { include_usage: true } };
const streamed = { stream: true };

const request = (custom_id: string, content = 'hi') =>
  JSON.stringify({
    custom_id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: saying(content) },
  });
const requests = (...lines: string[]): OfficialCall['file'] => ['file', lines.join('\n')];

const completed = openAi('ChatCompletion', 'chat.');
const chunks: Typed = { ...openAi('ChatCompletionChunk', 'chat.'), form: 'events' };
const responded = openAi('Response', 'responses.', 'Responses.');
const responseEvents: Typed = {
  ...openAi('ResponseStreamEvent', 'responses.', 'Responses.'),
  form: 'events',
};
const said: Typed = { node: 'Anthropic.Message', python: 'anthropic.types.Message' };
const messageEvents: Typed = {
  form: 'events',
  node: 'Anthropic.RawMessageStreamEvent',
  python: 'anthropic.types.RawMessageStreamEvent',
};
const text = openAi('Completion');
const job = openAi('FineTuningJob', 'fine_tuning.', 'FineTuning.');
const jobEvents = pageOf(openAi('FineTuningJobEvent', 'fine_tuning.', 'FineTuning.'));
const file = openAi('FileObject');
const deletedFile = openAi('FileDeleted');
const batch = openAi('Batch');
const upload = openAi('Upload', '', 'Uploads.');
const info: Typed = { node: 'Anthropic.ModelInfo', python: 'anthropic.types.ModelInfo' };
const conversationItem = openAi('ConversationItem', 'conversations.', 'Conversations.');
const itemList = openAi('ConversationItemList', 'conversations.', 'Conversations.');
const conversation = openAi('Conversation', 'conversations.', 'Conversations.');
const permissions = openAi(
  'PermissionRetrieveResponse',
  'fine_tuning.checkpoints.',
  'FineTuning.Checkpoints.',
);
const graderRun = openAi('GraderRunResponse', 'fine_tuning.alpha.', 'FineTuning.Alpha.');
const graderValidated = openAi('GraderValidateResponse', 'fine_tuning.alpha.', 'FineTuning.Alpha.');
const openAiModel = openAi('Model');
const CHATS = [
  post('chat', '/chat/completions', { ...chat, n: 2 }, completed),
  post('chatCut', '/chat/completions', { model, messages: saying('cut') }, completed),
  post('chatWithTools', '/chat/completions', chatTools, completed),
  post('chatWithFunctions', '/chat/completions', { model, messages, functions }, completed),
  post('chatStreamed', '/chat/completions', { ...chat, ...withUsage }, chunks),
  post('chatWithToolsStreamed', '/chat/completions', { ...chatTools, ...streamed }, chunks),
  post('chatWithFunctionsStreamed', '/chat/completions', { model, messages, functions, ...streamed }, chunks),
  post('chatThinking', '/chat/completions', { model, messages: saying('think') }, completed),
  post(
    'chatThinkingStreamed',
    '/chat/completions',
    { model, messages: saying('think'), ...withUsage },
    chunks,
  ),
  post('chatThinkingCut', '/chat/completions', { model, messages: saying('thinkLong') }, completed),
  post('chatFailing', '/chat/completions', { model, messages: saying('fail'), ...streamed }, orError(chunks)),
  post('completion', '/completions', completion, text),
  post(
    'completionStreamed',
    '/completions',
    { ...completion, ...withUsage },
    { form: 'events', node: 'TextChunk' },
  ),
  post('completionEchoed', '/completions', echoing, text),
  post('completionsEchoed', '/completions', { ...echoing, n: 2, logprobs: 1 }, { node: 'EchoedText' }),
  post('completionsOfPrompts', '/completions', { model, prompt: ['hi', 'ho'], n: 2 }, text),
  post('embeddings', '/embeddings', { model, input: 'hi' }, openAi('CreateEmbeddingResponse')),
  get('models', '/models', pageOf(openAiModel)),
  get('model', `/models/${model}`, openAiModel),
];

const OF_ANTHROPIC = [
  post('message', '/messages', message, said),
  post('messageCut', '/messages', { ...message, messages: saying('cut') }, said),
  post('messageStopped', '/messages', { ...message, stop_sequences: ['END'] }, said),
  post('messageWithTools', '/messages', messageTools, said),
  post('messageStreamed', '/messages', { ...message, ...streamed }, messageEvents),
  post('messageWithToolsStreamed', '/messages', { ...messageTools, ...streamed }, messageEvents),
  post('messageThinking', '/messages', { ...message, messages: saying('think') }, said),
  post('messageThinkingCut', '/messages', { ...message, messages: saying('thinkLong') }, said),
  post(
    'messageThinkingStreamed',
    '/messages',
    { ...message, messages: saying('think'), ...streamed },
    messageEvents,
  ),
  post(
    'messageFailing',
    '/messages',
    { ...message, messages: saying('fail'), ...streamed },
    {
      form: 'events',
      node: 'Anthropic.RawMessageStreamEvent | Anthropic.ErrorResponse',
    },
  ),
  post(
    'messageTokens',
    '/messages/count_tokens',
    { model, messages },
    {
      node: 'Anthropic.MessageTokensCount',
      python: 'anthropic.types.MessageTokensCount',
    },
  ),
  get('modelsOfAnthropic', '/models', pageOf(info), ofAnthropic),
  get('modelOfAnthropic', `/models/${model}`, info, ofAnthropic),
];

const RESPONSES = [
  post('response', '/responses', response, responded),
  post('responseCut', '/responses', { model, input: 'cut' }, responded),
  post('responseWithTools', '/responses', responseTools, responded),
  post('responseStreamed', '/responses', { ...response, ...streamed }, responseEvents),
  post('responseWithToolsStreamed', '/responses', { ...responseTools, ...streamed }, responseEvents),
  post('responseCutStreamed', '/responses', { model, input: 'cut', ...streamed }, responseEvents),
  post('responseThinking', '/responses', { model, input: 'think' }, responded),
  post('responseThinkingCut', '/responses', { model, input: 'thinkLong' }, responded),
  post('responseThinkingStreamed', '/responses', { model, input: 'think', ...streamed }, responseEvents),
  post('responseFailing', '/responses', { model, input: 'fail', ...streamed }, responseEvents),
  post(
    'responseTokens',
    '/responses/input_tokens',
    { model, input: 'hi' },
    openAi('InputTokenCountResponse', 'responses.', 'Responses.'),
  ),
  get('storedResponse', '/responses/{responseWithTools}', responded),
  get(
    'inputItems',
    '/responses/{responseWithTools}/input_items',
    pageOf(openAi('ResponseItem', 'responses.', 'Responses.')),
  ),
  post(
    'continued',
    '/responses',
    { model, input: 'hi', previous_response_id: '{responseWithTools}' },
    responded,
  ),
  get(
    'continuedItems',
    '/responses/{continued}/input_items',
    pageOf(openAi('ResponseItem', 'responses.', 'Responses.')),
  ),
  post('queued', '/responses', { ...background, input: 'wait' }, responded),
  get('inProgress', '/responses/{queued}', responded, { until: 'in_progress' }),
  act('cancelled', '/responses/{queued}/cancel', responded),
  get('cancelledAndStored', '/responses/{queued}', responded, { until: 'cancelled' }),
  post('inBackground', '/responses', background, responded),
  get('completed', '/responses/{inBackground}', responded, { until: 'completed' }),
  post('failingInBackground', '/responses', { ...background, input: 'fail' }, responded),
  get('failed', '/responses/{failingInBackground}', responded, { until: 'failed' }),
  post('inBackgroundStreamed', '/responses', { ...background, ...streamed }, responseEvents),
  get('resumed', '/responses/{inBackgroundStreamed}?stream=true&starting_after=2', responseEvents),
  post('failingStreamed', '/responses', { ...background, input: 'fail', ...streamed }, responseEvents),
];

const STORED = [
  post('conversation', '/conversations', { items: [item], metadata: { a: 'b' } }, conversation),
  get('storedConversation', '/conversations/{conversation}', conversation),
  post('changedConversation', '/conversations/{conversation}', { metadata: { a: 'c' } }, conversation),
  post(
    'responseInConversation',
    '/responses',
    { ...responseTools, conversation: '{conversation}' },
    responded,
  ),
  post('newItems', '/conversations/{conversation}/items', { items: [item] }, itemList),
  get('conversationItems', '/conversations/{conversation}/items', pageOf(conversationItem)),
  get('itemPage', '/conversations/{conversation}/items?limit=1', itemList),
  get('conversationItem', '/conversations/{conversation}/items/{conversationItems}', conversationItem),
  remove('withoutItem', '/conversations/{conversation}/items/{conversationItems}', conversation),
  remove('deletedConversation', '/conversations/{conversation}', {
    node: 'OpenAI.Conversations.ConversationDeletedResource',
    python: 'openai.types.conversations.ConversationDeletedResource',
  }),
  post('chatToStore', '/chat/completions', { ...chatTools, store: true }, completed),
  get('storedChats', '/chat/completions', pageOf(completed)),
  get('storedChat', '/chat/completions/{chatToStore}', completed),
  get('storedMessages', '/chat/completions/{chatToStore}/messages', pageOf({ node: 'StoredMessage' })),
  post('changedChat', '/chat/completions/{chatToStore}', { metadata: { a: 'b' } }, completed),
  remove('deletedChat', '/chat/completions/{chatToStore}', openAi('ChatCompletionDeleted', 'chat.')),
];

const FILES = [
  send('userFile', '/files', ['file', 'hi'], file, { purpose: 'user_data' }),
  send('requests', '/files', requests(request('a'), request('b', 'fail')), file, { purpose: 'batch' }),
  send('slowRequests', '/files', requests(request('a', 'wait')), file, { purpose: 'batch' }),
  send(
    'lateRequests',
    '/files',
    requests(
      ...Array(20)
        .fill(0)
        .map((_, i) => request(`${i}`, 'tomorrow')),
    ),
    file,
    { purpose: 'batch' },
  ),
  send('brokenRequests', '/files', requests('{', request('a'), request('a')), file, { purpose: 'batch' }),
  get('files', '/files', pageOf(file)),
  get('file', '/files/{file}', file),
  get('resultFile', '/files/{results}', file),
  send(
    'evalFile',
    '/files',
    ['file', '{}'],
    { node: 'EvalFile' },
    {
      purpose: 'evals',
      'expires_after[anchor]': 'created_at',
      'expires_after[seconds]': '3600',
    },
  ),
  remove('deletedFile', '/files/{userFile}', deletedFile),
  post('upload', '/uploads', uploading, upload),
  send('part', '/uploads/{upload}/parts', ['data', '{}\n\n'], openAi('UploadPart', 'uploads.', 'Uploads.')),
  post('completedUpload', '/uploads/{upload}/complete', { part_ids: ['{part}'] }, upload),
  post(
    'secondUpload',
    '/uploads',
    { ...uploading, expires_after: { anchor: 'created_at', seconds: 3600 } },
    upload,
  ),
  act('cancelledUpload', '/uploads/{secondUpload}/cancel', upload),
];

const BATCHES = [
  post('batch', '/batches', { ...batching, metadata: { a: 'b' } }, batch),
  get('completedBatch', '/batches/{batch}', batch, { until: 'completed' }),
  post('brokenBatch', '/batches', { ...batching, input_file_id: '{brokenRequests}' }, batch),
  get('failedBatch', '/batches/{brokenBatch}', batch, { until: 'failed' }),
  post('slowBatch', '/batches', { ...batching, input_file_id: '{slowRequests}' }, batch),
  get('runningBatch', '/batches/{slowBatch}', batch, { until: 'in_progress' }),
  act('cancellingBatch', '/batches/{slowBatch}/cancel', batch),
  get('cancelledBatch', '/batches/{slowBatch}', batch, { until: 'cancelled' }),
  get('batches', '/batches', pageOf(batch)),
  get('filesWithOutput', '/files?purpose=batch_output', pageOf(file)),
];

/** The test has made one that succeeded, one that failed and one that runs. */
const TUNING = [
  get('jobs', '/fine_tuning/jobs', pageOf(job)),
  get('job', '/fine_tuning/jobs/{job}', job),
  get('failedJob', '/fine_tuning/jobs/{failedJob}', job),
  get('runningJob', '/fine_tuning/jobs/{runningJob}', job),
  post('queuedJob', '/fine_tuning/jobs', { ...tuning, validation_file: '{file}', seed: 1, suffix: 'a' }, job),
  act('pausedJob', '/fine_tuning/jobs/{queuedJob}/pause', job),
  act('resumedJob', '/fine_tuning/jobs/{queuedJob}/resume', job),
  act('cancelledJob', '/fine_tuning/jobs/{queuedJob}/cancel', job),
  post('jobOfPreferences', '/fine_tuning/jobs', { ...tuning, method: { type: 'dpo' } }, job),
  post('jobOfRewards', '/fine_tuning/jobs', { ...tuning, method: reinforcement }, job),
  get('jobEvents', '/fine_tuning/jobs/{job}/events', jobEvents),
  get('failedJobEvents', '/fine_tuning/jobs/{failedJob}/events', jobEvents),
  get(
    'jobCheckpoints',
    '/fine_tuning/jobs/{job}/checkpoints',
    pageOf(openAi('FineTuningJobCheckpoint', 'fine_tuning.jobs.', 'FineTuning.Jobs.')),
  ),
  post('graderRun', '/fine_tuning/alpha/graders/run', grading, graderRun),
  post('graderValidated', '/fine_tuning/alpha/graders/validate', { grader }, graderValidated),
  get('permissions', '/fine_tuning/checkpoints/{tuned}/permissions', permissions),
  post(
    'permissionRefused',
    '/fine_tuning/checkpoints/{tuned}/permissions',
    { project_ids: ['a'] },
    refused(400),
  ),
  get('tunedModel', '/models/{tuned}', openAiModel),
  post('chatOfTuned', '/chat/completions', { ...chat, model: '{tuned}' }, completed),
  remove('deletedModel', '/models/{tuned}', openAi('ModelDeleted')),
];

const wrongKey = { authorization: 'Bearer svc_live_wrong' };
const failing = (word: string) => ({ model, messages: saying(word), max_tokens: 9 });

const REFUSED = [
  post('invalid', '/chat/completions', { model }, refused(400)),
  get('keyUnknown', '/models', refused(401), { headers: wrongKey }),
  get('otherOrigin', '/models', refused(403), { headers: { origin: 'https://example.com' } }),
  get('modelUnknown', '/models/none', refused(404)),
  get('pathUnknown', '/audio/speech', refused(404)),
  remove('methodUnknown', '/embeddings', refused(405)),
  remove('fileInUse', '/files/{file}', refused(409)),
  post('mediaUnknown', '/chat/completions', chat, refused(415), {
    headers: { 'content-type': 'text/plain' },
  }),
  post('busy', '/chat/completions', failing('busy'), refused(429)),
  post('broken', '/chat/completions', failing('break'), refused(500)),
  post('unavailable', '/chat/completions', failing('restart'), refused(503)),
  post('messageInvalid', '/messages', { model }, refusedByAnthropic(400)),
  post('messageKeyUnknown', '/messages', message, refusedByAnthropic(401), { headers: wrongKey }),
  post('messageModelUnknown', '/messages', { ...message, model: 'none' }, refusedByAnthropic(404)),
  get('messageBatches', '/messages/batches', refusedByAnthropic(404)),
  post('messageBusy', '/messages', failing('busy'), refusedByAnthropic(429)),
  post('messageBroken', '/messages', failing('break'), refusedByAnthropic(500)),
  post('messageUnavailable', '/messages', failing('restart'), refusedByAnthropic(503)),
];

/** The last, since a day passes. */
const EXPIRED = [
  post('lateBatch', '/batches', { ...batching, input_file_id: '{lateRequests}' }, batch),
  get('expiredBatch', '/batches/{lateBatch}', batch, { until: 'expired' }),
];

export const CALLS: readonly OfficialCall[] = [
  ...[
    ...CHATS,
    ...OF_ANTHROPIC,
    ...RESPONSES,
    ...STORED,
    ...FILES,
    ...BATCHES,
    ...TUNING,
    ...REFUSED,
    ...EXPIRED,
  ],
];
