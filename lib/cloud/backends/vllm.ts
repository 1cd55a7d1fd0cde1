// Serves chats and completions from an existing vLLM server. It loads adapters by digest from the cloud's folders, so it
// must run on this machine or see them under the same path. Tokenization happens here, with the same tokenizer.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, realClock } from '../../clock/index.js';
import {
  type AskKind,
  type Asks,
  adapterForVllm,
  EngineError,
  type Piece,
  type PromptUsage,
} from '../../engine/index.js';
import {
  type Backend,
  type BackendAbilities,
  type Question,
  requireLoaded,
  unavailable,
} from '../seams/backend.js';
import { askForLines, createElsewhere } from './elsewhere.js';

export interface VllmAddress {
  /** Such as `http://localhost:8000`. */
  url: string;
  /** The file with its API key. */
  tokenFile?: string | undefined;
}

interface VllmOptions extends VllmAddress {
  /** The base model. */
  modelFolder: string;
  /** Where adapters are copied to, by their digests, if vLLM has other names in the base model. */
  copies: string;
  /** Handles tokenization requests. */
  local: Backend;
  log(line: { message: string; error?: unknown }): void;
  clock?: Clock | undefined;
}

const ABILITIES: BackendAbilities = {
  adapters: true,
  logprobs: false,
  structure: false,
  embeddings: false,
  ownTemplate: true,
};
const ANSWER_MS = 15_000;
const LOAD_MS = 60_000;
/** How often to check whether vLLM is up. */
const LOOK_MS = 10_000;
const TOKENS: ReadonlySet<AskKind> = new Set(['encode', 'decode', 'describe']);

export function createVllmBackend(options: VllmOptions): Backend {
  const { modelFolder, copies, local, log, clock = realClock } = options;
  const base = options.url.replace(/\/+$/, '').replace(/\/v1$/, '');
  const adapters = new Map<string, { folder: string; loaded: Promise<void> }>();
  const copyOf = (sha256: string) => join(copies, sha256);
  let model: string | null = null;

  async function headers(): Promise<Record<string, string>> {
    if (options.tokenFile === undefined) return {};
    const token = await readFile(options.tokenFile, 'utf8').catch(() => {
      throw unavailable(`Cannot read vLLM's API key from ${options.tokenFile}.`);
    });
    return { authorization: `Bearer ${token.trim()}` };
  }

  async function call(path: string, body?: object, ms = ANSWER_MS): Promise<Response> {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const sent = { ...(await headers()), ...(body && { 'content-type': 'application/json' }) };
    return fetch(`${base}${path}`, {
      ...init,
      headers: sent,
      redirect: 'error',
      signal: clock.deadline(ms),
    }).catch((cause: unknown) => {
      throw unavailable(`The vLLM at ${base} does not answer.`, cause);
    });
  }

  /** The model that is not an adapter. */
  async function readModel(): Promise<string> {
    const response = await call('/v1/models');
    if (!response.ok)
      throw unavailable(`The vLLM at ${base} refused to list its models (${response.status}).`);
    const { data = [] } = (await response.json()) as { data?: { id: string; parent?: string | null }[] };
    const found = data.find(({ parent }) => !parent);
    if (!found) throw unavailable(`The vLLM at ${base} has no base model.`);
    return found.id;
  }

  async function loadNow(sha256: string, adapterFolder: string): Promise<void> {
    const path = await adapterForVllm(copyOf(sha256), { adapterFolder, modelFolder }).catch(error => {
      log({ message: `The adapter ${sha256} cannot be copied for vLLM.`, error });
      throw unavailable(`The vLLM at ${base} cannot load this adapter. See "svc cloud logs".`);
    });
    const body = { lora_name: nameOf(sha256), lora_path: path };
    const response = await call('/v1/load_lora_adapter', body, LOAD_MS);
    const text = await response.text();
    if (response.ok || /already/i.test(text)) return;
    if (response.status === 404)
      throw unavailable(
        `The vLLM at ${base} does not load adapters. Start it with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.`,
      );
    log({ message: `vLLM cannot load the adapter ${sha256}: ${text.slice(0, 500)}` });
    throw unavailable(`The vLLM at ${base} cannot load this adapter. See "svc cloud logs".`);
  }

  function load(sha256: string, folder: string): Promise<void> {
    const known = adapters.get(sha256);
    if (known) return known.loaded;
    const loaded = loadNow(sha256, folder);
    adapters.set(sha256, { folder, loaded });
    loaded.catch(() => adapters.delete(sha256));
    return loaded;
  }

  async function open(kind: 'chat' | 'complete', task: Question<'chat'>, signal: AbortSignal) {
    model ??= await readModel();
    const named = task.adapter === null ? model : nameOf(task.adapter);
    const path = kind === 'chat' ? '/v1/chat/completions' : '/v1/completions';
    const body = JSON.stringify(toVllmRequest(kind, task, named));
    return askForLines(`${base}${path}`, { headers: await headers(), body, signal }).catch(error => {
      throw signal.aborted ? error : unavailable(`The vLLM at ${base} does not answer.`, error);
    });
  }

  async function* generate(kind: 'chat' | 'complete', task: Question<'chat'>, signal: AbortSignal) {
    let answer = await open(kind, task, signal);
    const known = task.adapter === null ? undefined : adapters.get(task.adapter);
    if (answer.status === 404 && known) {
      // It was restarted since and has lost its adapters.
      answer.close(true);
      adapters.delete(task.adapter!);
      await load(task.adapter!, known.folder);
      answer = await open(kind, task, signal);
    }
    let isOver = false;
    try {
      if (answer.status !== 200) throw await toRefusal(answer.status, answer.lines);
      yield* readVllmPieces(answer.lines);
      isOver = true;
    } catch (error) {
      throw error instanceof EngineError || signal.aborted
        ? error
        : unavailable(`The vLLM at ${base} stopped in the middle of an answer. Try again.`, error);
    } finally {
      answer.close(isOver);
    }
  }

  const vllm = createElsewhere({
    async look() {
      model = await readModel();
      return 'ready';
    },
    waitMs: () => LOOK_MS,
    onProblem: message => log({ message }),
    clock,
  });
  return {
    abilities: ABILITIES,
    load: ({ sha256, folder }) => load(sha256, folder),
    async unload(sha256) {
      await rm(copyOf(sha256), { recursive: true, force: true });
      if (adapters.delete(sha256)) await call('/v1/unload_lora_adapter', { lora_name: nameOf(sha256) });
    },
    ask<K extends AskKind>(kind: K, task: Question<K>, signal: AbortSignal) {
      if (TOKENS.has(kind)) return local.ask(kind, task, signal);
      const asked = vllm.ask(signal, asking => {
        requireLoaded(task, adapters);
        return generate(kind as 'chat', task as Question<'chat'>, asking);
      });
      return asked as AsyncIterable<Asks[K]['output']>;
    },
    get state() {
      return vllm.state;
    },
    async close() {
      void vllm.close();
      await local.close();
    },
  };
}

const nameOf = (sha256: string) => `svc-${sha256}`;

async function toRefusal(status: number, lines: AsyncIterable<string>): Promise<EngineError> {
  let text = '';
  for await (const line of lines) text += line;
  const said = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? `HTTP ${status}`;
  if (/maximum context length|longer than the maximum/i.test(said))
    return new EngineError('context_length_exceeded', `vLLM: ${said}`);
  if (status === 400 || status === 422) return new EngineError('invalid_value', `vLLM: ${said}`);
  return unavailable(`vLLM refused: ${said}`);
}

type TextQuestion = Question<'chat'> | Question<'complete'>;

/** Converts a task to vLLM's API. */
function toVllmRequest(kind: 'chat' | 'complete', task: TextQuestion, model: string): object {
  const common = {
    model,
    stream: true,
    // The length of the prompt from the first chunk on.
    stream_options: { include_usage: true, continuous_usage_stats: true },
    max_tokens: task.maxTokens,
    temperature: task.temperature,
    top_p: task.topP,
    top_k: task.topK,
    frequency_penalty: task.frequencyPenalty,
    presence_penalty: task.presencePenalty,
    logit_bias: task.logitBias,
    stop: task.stop,
    seed: task.seed,
  };
  if (kind === 'chat') {
    const { messages, variables } = task as Question<'chat'>;
    return { ...common, messages, chat_template_kwargs: variables };
  }
  const { prompt, echo } = task as Question<'complete'>;
  return { ...common, prompt, echo };
}

interface Chunk {
  choices?: {
    /** `reasoning` had another name earlier. Both are there only if vLLM has a parser for the model. */
    delta?: { content?: string | null; reasoning?: string | null; reasoning_content?: string | null };
    text?: string;
    finish_reason?: string | null;
    /** The stop sequence, or the ID of a token. */
    stop_reason?: string | number | null;
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number | null } | null;
  } | null;
  error?: { message?: string; code?: number };
}

function toPromptUsage({
  prompt_tokens,
  prompt_tokens_details: details,
}: NonNullable<Chunk['usage']>): PromptUsage {
  const cached = details?.cached_tokens;
  return { promptTokens: prompt_tokens, ...(cached != null && { cachedTokens: cached }) };
}

/** The pieces of an event stream. The last one carries the usage. */
async function* readVllmPieces(lines: AsyncIterable<string>): AsyncGenerator<Piece> {
  let reason: 'stop' | 'length' = 'stop';
  let stopSequence: string | undefined;
  let hasBegun = false;
  for await (const line of lines) {
    const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
    if (data === '' || data === '[DONE]') continue;
    const { choices = [], usage, error } = JSON.parse(data) as Chunk;
    if (error) throw new EngineError('internal_error', `vLLM: ${error.message ?? 'an answer failed.'}`);
    const promptUsage = usage && toPromptUsage(usage);
    for (const { delta, text = delta?.content ?? '', finish_reason: why, stop_reason: stop } of choices) {
      const thought = delta?.reasoning ?? delta?.reasoning_content ?? '';
      const first = { ...(!hasBegun && promptUsage && { promptUsage }) };
      if (thought) yield { text: '', tokenIds: [], thought, ...first };
      if (text) yield { text, tokenIds: [], ...(!thought && first) };
      hasBegun ||= thought !== '' || text !== '';
      if (why) reason = why === 'length' ? 'length' : 'stop';
      if (typeof stop === 'string') stopSequence = stop;
    }
    if (!usage || choices.length > 0) continue;
    yield {
      text: '',
      tokenIds: [],
      finishReason: reason,
      ...(stopSequence !== undefined && { stopSequence }),
      usage: { ...toPromptUsage(usage), completionTokens: usage.completion_tokens },
    };
    return;
  }
  throw unavailable('vLLM ended an answer in the middle. Try again.');
}
