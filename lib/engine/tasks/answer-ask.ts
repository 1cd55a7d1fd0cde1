// Answers what a served model is asked: from the prompt's text to tokens, and then by the generator.
import { EngineError } from '../engine-error.js';
import { type Generator, type LoadedAdapter, loadAdapter, type WaitingRoom } from '../generate/index.js';
import type { ModelConfig } from '../model/index.js';
import type {
  Ask,
  AskKind,
  Asks,
  ChatTask,
  CompleteTask,
  DecodeTask,
  Embedding,
  EmbedTask,
  EncodeTask,
  Prompt,
} from '../process/messages.js';
import type { AnswerShape } from '../structure/index.js';
import type { ModelText } from '../text/index.js';
import type { PromptWriter } from './prompt-writer.js';

export interface Service {
  text: ModelText;
  generator: Generator;
  prompts: PromptWriter;
  /** For texts that are only tokenized, and tokens that are only decoded. */
  textPlaces: WaitingRoom;
  adapters: AdapterCache;
}

type Output = Asks[AskKind]['output'];

/** Aborts the caller if its place goes to another one. */
export async function* answerAsk(
  service: Service,
  ask: Ask,
  caller: AbortController,
): AsyncGenerator<Output> {
  if (ask.kind === 'chat') yield* await chat(service, ask.task, caller);
  else if (ask.kind === 'complete') yield* await complete(service, ask.task, caller);
  else if (ask.kind === 'embed') yield await embed(service, ask.task, caller);
  else if (ask.kind === 'encode') yield await encode(service, ask.task, caller);
  else if (ask.kind === 'decode') yield await decode(service, ask.task, caller);
  else yield service.text.facts;
}

async function chat(service: Service, task: ChatTask, caller: AbortController) {
  const { messages, tools, json, adapterFolder, ...settings } = task;
  const asked = { caller: task.caller, signal: caller.signal };
  const write = () => service.prompts.write({ messages, ...(tools && { tools: tools.all }) }, asked);
  const shape = toShape(service, task);
  if (shape) await service.generator.prepareShapes();
  return inItsPlace(service, { caller: task.caller, adapterFolder, write }, caller, prompt =>
    service.generator.generate(
      { ...settings, ...sampling(service, settings), ...prompt, shape },
      caller.signal,
    ),
  );
}

function toShape({ text }: Service, { tools, json }: ChatTask): AnswerShape | undefined {
  if (!tools) return json === undefined ? undefined : { json };
  const { all, choice, parallel } = tools;
  const functions = all
    .map(tool => tool.function)
    .filter(({ name }) => typeof choice === 'string' || name === choice.name)
    .map(({ name, parameters = NO_PARAMETERS }) => ({ name, schema: { type: 'object', ...parameters } }));
  const calls = { functions, isRequired: choice !== 'auto', parallel, notation: text.callNotation };
  return { json, calls };
}

const NO_PARAMETERS = { properties: {}, additionalProperties: false };

async function complete(service: Service, task: CompleteTask, caller: AbortController) {
  const { prompt: given, echo, adapterFolder, ...settings } = task;
  const write = () => toIds(service, given, { caller: task.caller, signal: caller.signal });
  const text = () => (typeof given === 'string' ? given : service.text.decode(given));
  return inItsPlace(service, { caller: task.caller, adapterFolder, write }, caller, prompt => {
    const request = { ...settings, ...sampling(service, settings), ...prompt, ...(echo && { echo: text() }) };
    return service.generator.complete(request, caller.signal);
  });
}

async function embed(service: Service, task: EmbedTask, caller: AbortController): Promise<Embedding> {
  const { prompt: given, adapterFolder, caller: name } = task;
  const write = () => toIds(service, given, { caller: name, signal: caller.signal });
  return inItsPlace(service, { caller: name, adapterFolder, write }, caller, async prompt => ({
    values: await service.generator.embed({ ...prompt, caller: name }, caller.signal),
    promptTokens: prompt.promptIds.length,
  }));
}

async function encode(
  service: Service,
  { caller: name = '', ...source }: EncodeTask,
  caller: AbortController,
): Promise<number[]> {
  const asked = { caller: name, signal: caller.signal };
  return inTextPlace(service, name, caller, () =>
    service.prompts.write({ ...source, anyLength: true }, asked),
  );
}

async function decode(
  service: Service,
  { caller: name = '', ids }: DecodeTask,
  caller: AbortController,
): Promise<string> {
  const asked = { caller: name, signal: caller.signal };
  return inTextPlace(service, name, caller, () => service.prompts.decode(ids, asked));
}

async function inTextPlace<T>(
  { textPlaces }: Service,
  name: string,
  caller: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const release = textPlaces.reserve({ caller: name, fail: error => caller.abort(error) });
  try {
    return await work();
  } finally {
    release();
  }
}

interface Asked {
  caller: string | undefined;
  adapterFolder: string | null;
  write(): Promise<readonly number[]>;
}

interface WrittenPrompt {
  promptIds: readonly number[];
  adapter: LoadedAdapter | null;
}

/** Reserves a place before it writes the prompt, so that a full queue refuses at once. */
async function inItsPlace<T>(
  { generator, adapters }: Service,
  { caller: name, adapterFolder, write }: Asked,
  caller: AbortController,
  begin: (prompt: WrittenPrompt) => T | Promise<T>,
): Promise<T> {
  const { signal } = caller;
  const release = generator.reserve(name, error => caller.abort(error));
  signal.addEventListener('abort', release, { once: true });
  let begun: T | Promise<T>;
  try {
    const promptIds = await write();
    const adapter = adapterFolder === null ? null : await adapters.get(adapterFolder);
    signal.throwIfAborted();
    release();
    begun = begin({ promptIds, adapter });
  } finally {
    release();
  }
  return begun;
}

async function toIds(
  { prompts }: Service,
  prompt: Prompt,
  asked: Parameters<PromptWriter['write']>[1],
): Promise<readonly number[]> {
  return typeof prompt === 'string' ? prompts.write({ text: prompt }, asked) : prompt;
}

/** What the model's files suggest, where the request says nothing. */
function sampling({ text }: Service, { temperature, topP }: Pick<ChatTask, 'temperature' | 'topP'>) {
  return { temperature: temperature ?? text.sampling.temperature, topP: topP ?? text.sampling.topP };
}

const MAX_ADAPTERS = 16;

/** Reads adapters when they are first used, and keeps the most recently used ones. */
export interface AdapterCache {
  /** Throws `adapter_damaged` if it cannot be used. */
  get(folder: string): Promise<LoadedAdapter>;
  /** Reads it again if it is used once more. */
  forget(folder: string): void;
  clear(): void;
}

export function createAdapterCache(config: ModelConfig, limit = MAX_ADAPTERS): AdapterCache {
  /** Least recently used first. */
  const adapters = new Map<string, Promise<LoadedAdapter>>();

  async function load(folder: string): Promise<LoadedAdapter> {
    try {
      return await loadAdapter(folder, config);
    } catch (error) {
      throw new EngineError('adapter_damaged', error instanceof Error ? error.message : String(error));
    }
  }

  return {
    get(folder) {
      const adapter = adapters.get(folder) ?? load(folder);
      adapters.delete(folder);
      adapters.set(folder, adapter);
      adapter.catch(() => adapters.delete(folder));
      if (adapters.size > limit) adapters.delete(adapters.keys().next().value!);
      return adapter;
    },
    forget: folder => void adapters.delete(folder),
    clear: () => adapters.clear(),
  };
}
