// Serves a model until the channel closes: turns questions into tokens, and passes those to the generator.
import { collectGarbage, findDiskFault } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import {
  type AdapterCache,
  type BeginWork,
  createAdapterCache,
  createGenerator,
  createWaitingRoom,
  type Generator,
  type LoadedAdapter,
  toShape,
  type WaitingRoom,
} from '../generate/index.js';
import { type ModelSource, openModel } from '../model/index.js';
import type {
  Ask,
  AskKind,
  Asks,
  ChatTask,
  CompleteTask,
  Embedding,
  EmbedTask,
  FromWorker,
  Prompt,
  ServeTask,
  ToWorker,
} from '../process/messages.js';
import { DeviceError, type ProviderName } from '../runtime/index.js';
import { type ModelText, openText, TextError } from '../text/index.js';
import { decideWeights, HalfRangeError, openWeights, readAnswerLimits } from '../train/index.js';
import { createPromptWriter, type PromptWriter } from './prompt-writer.js';
import type { PromptSource } from './serve-prompts.js';
import { providerOf } from './train-on-device.js';

/** For loading the runtime and the vocabulary, before the model's own limits are known. */
const START_MS = 5 * 60_000;

/** The most texts that may wait to be tokenized or decoded. */
const TEXT_PLACES = 32;

const CALLER_GONE = new Error('The caller has left.');

export interface Serving {
  receive(message: ToWorker): void;
  close(): Promise<void>;
}

/** Opens the model and reports that it is ready; throws if it cannot be opened. */
export async function startService(
  task: ServeTask,
  send: (message: FromWorker) => void,
  beginWork: BeginWork,
): Promise<Serving> {
  const endWork = beginWork(START_MS);
  const service = await openService(task, beginWork, send);
  const { generator, prompts } = service;
  const callers = new Map<number, AbortController>();

  async function answer(id: number, ask: Ask): Promise<void> {
    const caller = new AbortController();
    callers.set(id, caller);
    try {
      for await (const output of answerAsk(service, ask, caller)) send({ type: 'output', id, output });
      send({ type: 'ended', id });
    } catch (error) {
      if (caller.signal.reason !== CALLER_GONE) send({ type: 'failed', id, ...toFailure(error) });
    } finally {
      callers.delete(id);
    }
  }

  async function unload(): Promise<void> {
    if (!(await generator.unload()) || callers.size > 0) return;
    service.adapters.clear();
    await prompts.close();
    // The buffers of dropped caches are freed with the next collection.
    collectGarbage();
  }

  endWork();
  send({ type: 'serving' });
  return {
    receive(message) {
      if (message.type === 'ask') void answer(message.id, message);
      else if (message.type === 'abort') callers.get(message.id)?.abort(CALLER_GONE);
      else if (message.type === 'unload') {
        if (message.adapterFolder === undefined) void unload();
        else service.adapters.forget(message.adapterFolder);
      }
    },
    async close() {
      await Promise.all([generator.close(), prompts.close()]);
    },
  };
}

async function openService(
  task: ServeTask,
  beginWork: BeginWork,
  send: (message: FromWorker) => void,
): Promise<Service> {
  const { modelFolder, threads, device, promptLimitMs, maxAdapters, ...limits } = task;
  const [stored, text] = [await openModel(modelFolder), await openText(modelFolder)];
  const openHere = () => openOnCpu(stored, task, send);
  const leaveGpu = ({ message: reason }: DeviceError) => send({ type: 'left-gpu', reason });
  const { model, provider, mostCache } = await openOnDevice(stored, task, { openHere, leaveGpu });
  const leaveDevice = async (fault: DeviceError) => {
    const endWork = beginWork(START_MS);
    leaveGpu(fault);
    return openHere().finally(endWork);
  };
  const session = { threads, provider };
  const generator = createGenerator({
    ...limits,
    ...model,
    mostCache,
    text,
    session,
    beginWork,
    leaveDevice,
  });
  const { context } = generator;
  const prompts = createPromptWriter({ modelFolder, text, context, limitMs: promptLimitMs });
  const textPlaces = createWaitingRoom(TEXT_PLACES);
  return { text, generator, prompts, textPlaces, adapters: createAdapterCache(model.config, maxAdapters) };
}

interface OpenedModel {
  model: ModelSource;
  provider: ProviderName;
  /** Of the KV cache, in bytes. */
  mostCache?: number;
}

/** On the CPU instead, if the GPU has no room for it. */
async function openOnDevice(
  stored: ModelSource,
  task: ServeTask,
  { openHere, leaveGpu }: { openHere(): Promise<ModelSource>; leaveGpu(fault: DeviceError): void },
): Promise<OpenedModel> {
  const provider = providerOf(task.device ?? { type: 'cpu' });
  if (provider === 'cpu') return { model: await openHere(), provider };
  try {
    const { model, bytesPerWeight } = await openThere(stored, task, provider);
    return {
      model,
      provider,
      mostCache: await readAnswerLimits(stored.config, { provider }, bytesPerWeight),
    };
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    leaveGpu(error);
    return { model: await openHere(), provider: 'cpu' };
  }
}

/** In float32 if its weights do not fit into float16. */
async function openThere(
  stored: ModelSource,
  { weights = 'f32' }: ServeTask,
  provider: ProviderName,
): Promise<{ model: ModelSource; bytesPerWeight?: number }> {
  const place = { folder: '', provider };
  const decided = await decideWeights(stored, weights, place);
  if (decided === 'f32') return { model: stored };
  try {
    const model = await openWeights(stored, decided, { ...place, trains: false });
    return { model, bytesPerWeight: model.bytesPerWeight };
  } catch (error) {
    if (error instanceof HalfRangeError) return { model: stored };
    throw error;
  }
}

const COMPARING =
  'Comparing 8-bit with 32-bit weights, to use the faster ones. This happens once for a model on this machine.';

/** The CPU has no float16, and chooses instead. */
async function openOnCpu(
  model: ModelSource,
  { weights = 'f32', roundedFolder: folder }: ServeTask,
  send: (message: FromWorker) => void,
): Promise<ModelSource> {
  if (weights === 'f32') return model;
  if (folder === undefined) throw new Error('A model with rounded weights needs a folder for them.');
  const onMeasure = () => send({ type: 'preparing', what: COMPARING });
  const setting = weights === 'f16' ? 'auto' : weights;
  try {
    const decided = await decideWeights(model, setting, { folder, onMeasure });
    return await openWeights(model, decided, { folder, trains: false });
  } catch (error) {
    // Where rounded weights cannot be kept, for example on a full disk, float32 needs no place. The next start decides again.
    if (setting !== 'auto' || findDiskFault(error) === null) throw error;
    send({ type: 'not-rounded', reason: (error as Error).message });
    return model;
  }
}

/** Engine errors keep their code; a conversation that the template rejects is invalid input. */
export function toFailure(error: unknown): Pick<EngineError, 'code' | 'message' | 'part'> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EngineError) return { code: error.code, message, part: error.part };
  return { code: error instanceof TextError ? 'invalid_value' : 'internal_error', message, part: undefined };
}

interface Service {
  text: ModelText;
  generator: Generator;
  prompts: PromptWriter;
  /** For requests that only tokenize or decode. */
  textPlaces: WaitingRoom;
  adapters: AdapterCache;
}

/** Aborts the request if its place goes to another caller. */
async function* answerAsk(
  service: Service,
  { kind, task }: Ask,
  abort: AbortController,
): AsyncGenerator<Asks[AskKind]['output']> {
  if (kind === 'chat') yield* await chat(service, task, abort);
  else if (kind === 'complete') yield* await complete(service, task, abort);
  else if (kind === 'embed') yield await embed(service, task, abort);
  else if (kind === 'describe') yield service.text.facts;
  else {
    const { prompts } = service;
    yield await inTextPlace<number[] | string>(service, task, abort, asked =>
      kind === 'encode'
        ? prompts.write({ ...task, anyLength: true }, asked)
        : prompts.decode(task.ids, asked),
    );
  }
}

async function chat(service: Service, task: ChatTask, abort: AbortController) {
  const { messages, variables, tools, json, choices, adapterFolder, ...settings } = task;
  const shape = toShape(service.text.callNotation, task);
  if (shape) await service.generator.prepareShapes();
  const source = { messages, variables, ...(tools && { tools: tools.all }) };
  return inPlace(service, task, source, abort, prompt => {
    const thought = service.text.thoughtAfter(prompt.promptIds);
    const request = { ...settings, ...sampling(service, settings), ...prompt, shape, thought };
    return service.generator.generate(request, abort.signal);
  });
}

async function complete(service: Service, task: CompleteTask, abort: AbortController) {
  const { prompt: given, echo, adapterFolder, ...settings } = task;
  const text = () => (typeof given === 'string' ? given : service.text.decode(given));
  return inPlace(service, task, given, abort, prompt => {
    const request = { ...settings, ...sampling(service, settings), ...prompt, ...(echo && { echo: text() }) };
    return service.generator.complete(request, abort.signal);
  });
}

/** The model's own defaults for settings that the request omits. A `topK` below 1 sets no limit. */
function sampling(
  { text: { sampling } }: Service,
  { temperature, topP, topK }: Pick<ChatTask, 'temperature' | 'topP' | 'topK'>,
) {
  const most = topK ?? sampling.topK ?? 0;
  return {
    temperature: temperature ?? sampling.temperature,
    topP: topP ?? sampling.topP,
    topK: most > 0 ? most : undefined,
  };
}

function embed(service: Service, task: EmbedTask, abort: AbortController): Promise<Embedding> {
  const { prompt: given, caller, isLowPriority } = task;
  return inPlace(service, task, given, abort, async prompt => ({
    values: await service.generator.embed({ ...prompt, caller, isLowPriority }, abort.signal),
    promptTokens: prompt.promptIds.length,
  }));
}

async function inTextPlace<T>(
  { textPlaces }: Service,
  { caller = '' }: { caller?: string | undefined },
  abort: AbortController,
  work: (asked: { caller: string; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const release = textPlaces.reserve({ caller, fail: error => abort.abort(error) });
  try {
    return await work({ caller, signal: abort.signal });
  } finally {
    release();
  }
}

interface ReadPrompt {
  promptIds: readonly number[];
  adapter: LoadedAdapter | null;
}

/** Reserves a place before writing the prompt, so that a full queue rejects immediately. */
async function inPlace<T>(
  { generator, prompts, adapters }: Service,
  { caller, isLowPriority, adapterFolder }: Pick<ChatTask, 'caller' | 'isLowPriority' | 'adapterFolder'>,
  source: Prompt | PromptSource,
  abort: AbortController,
  begin: (prompt: ReadPrompt) => T | Promise<T>,
): Promise<T> {
  const { signal } = abort;
  const release = generator.reserve({ caller, isLowPriority }, error => abort.abort(error));
  signal.addEventListener('abort', release, { once: true });
  let begun: T | Promise<T>;
  try {
    const promptIds = await toIds(source, text => prompts.write(text, { caller, signal }));
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
  source: Prompt | PromptSource,
  write: (source: PromptSource) => Promise<number[]>,
): Promise<readonly number[]> {
  if (typeof source === 'string') return write({ text: source });
  return 'length' in source ? source : write(source);
}
