// A model that answers until the channel closes.
import { collectGarbage } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import { type BeginWork, createGenerator, createWaitingRoom } from '../generate/index.js';
import { type ModelSource, openModel } from '../model/index.js';
import type { Ask, FromWorker, ServeTask, ToWorker } from '../process/messages.js';
import { openText, TextError } from '../text/index.js';
import { decideWeights, openWeights } from '../train/index.js';
import { answerAsk, createAdapterCache, type Service } from './answer-ask.js';
import { createPromptWriter } from './prompt-writer.js';

/** For loading the runtime and the vocabulary, before the model's own limits are known. */
const START_MS = 5 * 60_000;

/** How many texts wait to be tokenized, or tokens to be decoded. */
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
  const service = await openService(task, beginWork);
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
  send({ type: 'serving', model: { context: generator.context } });
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

async function openService(task: ServeTask, beginWork: BeginWork): Promise<Service> {
  const { modelFolder, threads, provider, promptLimitMs, maxAdapters, ...limits } = task;
  const [stored, text] = [await openModel(modelFolder), await openText(modelFolder)];
  const model = await openInPrecision(stored, task);
  const session = { threads, ...(provider && { provider }) };
  const generator = createGenerator({ ...limits, ...model, text, session, beginWork });
  const { context } = generator;
  const prompts = createPromptWriter({ modelFolder, text, context, limitMs: promptLimitMs });
  const textPlaces = createWaitingRoom(TEXT_PLACES);
  return { text, generator, prompts, textPlaces, adapters: createAdapterCache(model.config, maxAdapters) };
}

async function openInPrecision(
  model: ModelSource,
  { weights = 'f32', roundedFolder: folder, provider }: ServeTask,
): Promise<ModelSource> {
  if (weights === 'f32') return model;
  if (folder === undefined) throw new Error('A model with rounded weights needs a folder for them.');
  const decided = await decideWeights(model, weights, { folder, provider });
  return openWeights(model, decided, { folder, provider, trains: false });
}

/** Refusals keep their code; a conversation that the template refuses is invalid input. */
export function toFailure(error: unknown): Pick<EngineError, 'code' | 'message' | 'part'> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EngineError) return { code: error.code, message, part: error.part };
  return { code: error instanceof TextError ? 'invalid_value' : 'internal_error', message, part: undefined };
}
