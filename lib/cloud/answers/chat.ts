// The chat-completions format: turns a request into engine tasks, and the answer into one completion or its chunks. The
// other chat formats are converted to and from this one.
import { createHash } from 'node:crypto';
import {
  ApiError,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  type ChatMessage,
  hasFunctions,
} from '../../contract/index.js';
import type { CallPiece, FinishReason, Message, Piece, TokenLogprob, Usage } from '../../engine/index.js';
import { chunkEvents, errorData } from '../../http/index.js';
import type { AnswerFormat, Head, Prompt, TextRequest } from './answer.js';
import { callFunctions, callFunctionsInChunks } from './legacy-functions.js';
import { addPiece, type ChoicePiece, inOrder, type Said } from './pieces.js';

/** Throws an `ApiError` that names the invalid parameter. */
export function readChat(request: ChatCompletionRequest): TextRequest<'chat'> {
  const textRequest = askChat(request);
  if (request.top_logprobs && !request.logprobs) {
    throw new ApiError('invalid_value', '`top_logprobs` requires `logprobs: true`.', {
      param: 'top_logprobs',
    });
  }
  return textRequest;
}

/** A chat whose answer is written in one of the formats. Throws if it requires a tool that is not defined. */
export function askChat(
  request: ChatCompletionRequest,
  format: TextRequest<'chat'>['format'] = head => chatFormat(request, head),
): TextRequest<'chat'> {
  requireTool(request);
  return {
    model: request.model,
    kind: 'chat',
    tasks: toChatTasks(request),
    prompts: [toPrompt(request)],
    isStream: request.stream ?? false,
    format,
  };
}

function requireTool({ tools = [], tool_choice: choice }: ChatCompletionRequest): void {
  const { isRequired, names } = readChoice(choice);
  const known = new Set(tools.map(tool => tool.function.name));
  const isThere = names ? names.every(name => known.has(name)) : !isRequired || tools.length > 0;
  const fault = names ? 'names a tool that is not in `tools`' : 'wants a tool called, and `tools` has none';
  if (!isThere) throw new ApiError('invalid_value', `\`tool_choice\` ${fault}.`, { param: 'tool_choice' });
}

/** Whether a tool must be called, and which may be: all of them if none is named. */
function readChoice(choice: ChatCompletionRequest['tool_choice']): { isRequired: boolean; names?: string[] } {
  if (typeof choice !== 'object') return { isRequired: choice === 'required' };
  if (choice.type === 'function') return { isRequired: true, names: [choice.function.name] };
  const { mode, tools } = choice.allowed_tools;
  return { isRequired: mode === 'required', names: tools.map(tool => tool.function.name) };
}

const namesOne = ({ tool_choice: choice }: ChatCompletionRequest) =>
  typeof choice === 'object' && choice.type === 'function';

/** Leaves out tools that must not be called. */
function toPrompt({ messages, tools = [], tool_choice: choice }: ChatCompletionRequest): Prompt {
  return tools.length === 0 || choice === 'none' ? { messages } : { messages, tools };
}

type ChatTask = TextRequest<'chat'>['tasks'][number];

/** One per `n`, with consecutive seeds. */
export function toChatTasks(request: ChatCompletionRequest): ChatTask[] {
  const { n = 1, seed } = request;
  const task = toChatTask(request);
  return Array.from({ length: n }, (_, i) => (seed === undefined ? task : { ...task, seed: seed + i }));
}

function toChatTask(request: ChatCompletionRequest): ChatTask {
  return {
    messages: request.messages.map(toTurn),
    variables: toVariables(request),
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
    ...toSampling(request),
    logprobs: request.logprobs ? (request.top_logprobs ?? 0) : undefined,
    tools: toToolUse(request),
    json: toSchema(request),
    choices: request.structured_outputs?.choice,
  };
}

/** The least effort means no thoughts, if the template leaves the choice. */
function toVariables({
  chat_template_kwargs: variables,
  reasoning_effort: effort,
}: ChatCompletionRequest): ChatTask['variables'] {
  if (effort !== 'none' && effort !== 'minimal') return variables;
  return { enable_thinking: false, ...variables };
}

type SamplingFields =
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'logit_bias'
  | 'stop';

/** How tokens are chosen, and where an answer stops: the same fields in chats and completions. */
export function toSampling({ stop, ...request }: Pick<ChatCompletionRequest, SamplingFields>) {
  return {
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    logitBias: request.logit_bias,
    stop: typeof stop === 'string' ? [stop] : stop,
  };
}

/** Tools that must not be called have no effect. A named tool is called once. */
function toToolUse(request: ChatCompletionRequest): ChatTask['tools'] {
  const { tools: all = [], tool_choice: choice, parallel_tool_calls: parallel = true } = request;
  if (all.length === 0 || choice === 'none') return undefined;
  return { all, ...readChoice(choice), parallel: parallel && !namesOne(request) };
}

function toSchema({ response_format: format }: ChatCompletionRequest): ChatTask['json'] {
  if (format?.type === 'json_schema') return format.json_schema.schema ?? true;
  return format?.type === 'json_object' ? { type: 'object' } : undefined;
}

/** A turn as chat templates expect it. A tool's output is a turn like any other. */
function toTurn({ role, content, ...fields }: ChatMessage): Message {
  return { ...fields, role: role === 'developer' ? 'system' : role, content: joinText(content) };
}

/** Content in all formats is either a string or a list of text parts. */
export function joinText(content: string | readonly { text: string }[] | null | undefined): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

/** @internal */
export function chatFormat(request: ChatCompletionRequest, given: Head): AnswerFormat {
  const head = { ...given, id: `chatcmpl-${given.id}` };
  const isLegacy = hasFunctions(request);
  return {
    fields: { conversation: 'messages', json: 'response_format', tools: isLegacy ? 'functions' : 'tools' },
    async collect(pieces) {
      const completion = await collectCompletion(head, pieces, request);
      return isLegacy ? callFunctions(completion) : completion;
    },
    events(pieces) {
      const chunks = toChunks(head, pieces, request);
      return chunkEvents(isLegacy ? callFunctionsInChunks(chunks) : chunks);
    },
    failure: error => ({ data: errorData(error) }),
  };
}

async function collectCompletion(
  head: Head,
  pieces: AsyncIterable<ChoicePiece>,
  request: ChatCompletionRequest,
): Promise<ChatCompletion> {
  const answers = new Map<number, Said>();
  const scored = new Map<number, LogprobEntry[]>();
  for await (const choice of pieces) {
    addPiece(answers, choice);
    const entries = scored.get(choice.index) ?? [];
    scored.set(choice.index, entries);
    entries.push(...toEntries(choice.piece));
  }
  const ordered = inOrder(answers);
  return {
    ...head,
    object: 'chat.completion',
    choices: ordered.map(([index, said]) => ({
      index,
      message: toMessage(said, n => callIdOf(head, index, n)),
      logprobs: request.logprobs ? { content: scored.get(index)!, refusal: null } : null,
      finish_reason: toFinishReason(said.last!.finishReason, request),
    })),
    service_tier: SERVICE_TIER,
    usage: addUsage(ordered.map(([, { last }]) => last!.usage)),
  };
}

/** The only tier here, whatever a request asks for. */
export const SERVICE_TIER = 'default';

function toMessage(
  { thought, text, calls }: Said,
  idOf: (call: number) => string,
): ChatCompletion['choices'][number]['message'] {
  // Nothing here refuses or cites.
  const message = {
    role: 'assistant' as const,
    content: text,
    ...(thought !== '' && toReasoning(thought)),
    refusal: null,
    annotations: [],
  };
  if (calls.length === 0) return message;
  const tool_calls = calls.map((call, n) => ({ id: idOf(n), type: 'function' as const, function: call }));
  return { ...message, content: text.trim() === '' ? null : text, tool_calls };
}

/** OpenAI's format has no thoughts. Other servers of that format have the first name, vLLM has the second. */
const toReasoning = (thought: string) => ({ reasoning_content: thought, reasoning: thought });

/** For each choice the role, then thoughts, then text, then the finish reason; the usage comes last, if requested. */
async function* toChunks(
  head: Head,
  pieces: AsyncIterable<ChoicePiece>,
  request: ChatCompletionRequest,
): AsyncGenerator<ChatCompletionChunk> {
  const includeUsage = request.stream_options?.include_usage ?? false;
  const mayCall = toToolUse(request) !== undefined;
  const choices = new Map<number, ChoiceSoFar>();
  const usages: Usage[] = [];
  const chunk = (
    choice: Omit<ChatCompletionChunk['choices'][number], 'logprobs'>,
    entries?: LogprobEntry[],
  ) => ({
    ...head,
    object: 'chat.completion.chunk' as const,
    choices: [{ ...choice, logprobs: entries?.length ? { content: entries, refusal: null } : null }],
    service_tier: SERVICE_TIER,
    ...(includeUsage && { usage: null }),
  });
  for await (const { index, piece } of pieces) {
    const choice = choices.get(index) ?? { hasBegun: false, hasSpoken: false, held: [], calls: 0 };
    choices.set(index, choice);
    const isCall = 'call' in piece;
    if (!choice.hasSpoken && mayCall && isBlank(piece)) {
      choice.held.push(piece);
      continue;
    }
    const isThought = 'thought' in piece;
    const start = { role: 'assistant' as const, content: isCall ? null : '', refusal: null };
    const isFirst = !choice.hasBegun;
    choice.hasBegun = true;
    choice.hasSpoken = !isThought;
    if (isCall) {
      const isNew = piece.call.index >= choice.calls;
      const tool_calls = [toCallDelta(piece, isNew ? callIdOf(head, index, piece.call.index) : null)];
      choice.calls = Math.max(choice.calls, piece.call.index + 1);
      choice.held = [];
      yield chunk({ index, delta: { ...(isFirst && start), tool_calls }, finish_reason: null });
      continue;
    }
    if (isFirst) yield chunk({ index, delta: start, finish_reason: null });
    if (isThought) {
      const delta = { content: null, ...toReasoning(piece.thought) };
      yield chunk({ index, delta, finish_reason: null });
      continue;
    }
    for (const said of [...choice.held.splice(0), piece]) {
      const entries = toEntries(said);
      if (said.text !== '' || entries.length > 0)
        yield chunk({ index, delta: { content: said.text }, finish_reason: null }, entries);
    }
    if (!piece.finishReason) continue;
    usages.push(piece.usage);
    yield chunk({ index, delta: {}, finish_reason: toFinishReason(piece.finishReason, request) });
  }
  if (includeUsage)
    yield {
      ...head,
      object: 'chat.completion.chunk',
      choices: [],
      service_tier: SERVICE_TIER,
      usage: addUsage(usages),
    };
}

interface ChoiceSoFar {
  hasBegun: boolean;
  /** Whether it has more than a thought. */
  hasSpoken: boolean;
  /** Blank text at the start. */
  held: Piece[];
  calls: number;
}

/** Text that may still be followed by a call; before one, blank text is not part of the message. */
const isBlank = (piece: Piece) =>
  !('call' in piece) && !('thought' in piece) && !piece.finishReason && piece.text.trim() === '';

/** A call that the request named is not the model's decision, so the format says `stop`. */
function toFinishReason(reason: FinishReason, request: ChatCompletionRequest): FinishReason {
  return reason === 'tool_calls' && namesOne(request) ? 'stop' : reason;
}

function toEntries(piece: Piece): LogprobEntry[] {
  return 'logprobs' in piece ? (piece.logprobs ?? []).map(toLogprobEntry) : [];
}

/** The same for a stored completion as for the stream that it was sent in. */
function callIdOf({ id }: Head, choice: number, call: number): string {
  return `call_${createHash('sha256').update(`${id}/${choice}/${call}`).digest('hex').slice(0, 32)}`;
}

/** Only the first delta of a call has an ID. */
function toCallDelta({ call, arguments: given }: CallPiece, id: string | null) {
  const { index, name } = call;
  if (id === null) return { index, function: { arguments: given } };
  return { index, id, type: 'function' as const, function: { name, arguments: given } };
}

/** This many consecutive choices share a prompt, which is counted once. Default: all of them. */
export function addUsage(usages: readonly Usage[], sharing = usages.length): ChatCompletion['usage'] {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const prompts = usages.filter((_, i) => i % sharing === 0);
  const prompt = sum(prompts.map(({ promptTokens }) => promptTokens));
  const completion = sum(usages.map(({ completionTokens }) => completionTokens));
  const isKnown = prompts.some(({ cachedTokens }) => cachedTokens !== undefined);
  const cached = isKnown ? sum(prompts.map(({ cachedTokens = 0 }) => cachedTokens)) : undefined;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 } }),
    completion_tokens_details: {
      reasoning_tokens: sum(usages.map(({ thoughtTokens = 0 }) => thoughtTokens)),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

type Logprobs = NonNullable<ChatCompletion['choices'][number]['logprobs']>;
type LogprobEntry = NonNullable<Logprobs['content']>[number];

type WrittenToken = Omit<TokenLogprob, 'top'>;

/** JSON has no infinity. The format uses this value for practically impossible tokens. */
const LOWEST = -9999;

/** Log probabilities in the OpenAI format, with each token's text and bytes. */
export function toLogprobEntry({ top, ...token }: TokenLogprob): LogprobEntry {
  const write = ({ logprob, bytes }: WrittenToken) => ({
    token: textOf(bytes),
    logprob: writeLogprob(logprob),
    bytes: [...bytes],
  });
  return { ...write(token), top_logprobs: top.map(write) };
}

export function writeLogprob(logprob: number): number {
  return Math.max(logprob, LOWEST);
}

/** Partial characters become replacement characters. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
