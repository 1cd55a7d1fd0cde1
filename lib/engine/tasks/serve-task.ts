// A model that answers chats until the channel closes. Adapters are read when they are first asked for, and the ones
// used last are kept.
import { EngineError, type EngineErrorCode } from '../engine-error.js';
import { type BeginWork, createGenerator, type Piece } from '../generate/index.js';
import { openModel } from '../model/index.js';
import type { ChatTask, FromWorker, ServeTask, ToWorker } from '../process/messages.js';
import { openText, TextError } from '../text/index.js';
import { createAdapterCache } from './adapter-cache.js';
import { createPromptWriter } from './prompt-writer.js';

/** Before the model is known: loading the runtime, reading the vocabulary. */
const START_MS = 5 * 60_000;

/** Why a chat ends of which nobody wants to hear any more. */
const LEFT = new Error('The caller has left.');

export interface Serving {
  receive(message: ToWorker): void;
  close(): Promise<void>;
}

/** Opens the model and says that it serves; throws when it cannot be opened. */
export async function startService(
  task: ServeTask,
  send: (message: FromWorker) => void,
  beginWork: BeginWork,
): Promise<Serving> {
  const { modelFolder, threads, provider, weights, promptLimitMs, ...limits } = task;
  const started = beginWork(START_MS);
  const [model, text] = [await openModel(modelFolder), await openText(modelFolder)];
  const session = { threads, ...(provider && { provider }), ...(weights && { weights }) };
  const generator = createGenerator({ ...model, text, session, beginWork, ...limits });
  const { context } = generator;
  const prompts = createPromptWriter({ modelFolder, text, context, limitMs: promptLimitMs });
  const adapters = createAdapterCache(model.config);
  const running = new Map<number, AbortController>();

  async function begin(chat: ChatTask, caller: AbortController): Promise<AsyncIterable<Piece>> {
    const { messages, tools, adapterFolder, ...settings } = chat;
    const { signal } = caller;
    const leave = generator.reserve(chat.caller, error => caller.abort(error));
    signal.addEventListener('abort', leave, { once: true });
    try {
      const promptIds = await prompts.write({ messages, ...(tools && { tools }) }, signal);
      const adapter = adapterFolder === null ? null : await adapters.take(adapterFolder);
      signal.throwIfAborted();
      leave();
      const { temperature = text.sampling.temperature, topP = text.sampling.topP } = settings;
      return generator.generate({ ...settings, temperature, topP, promptIds, adapter }, signal);
    } finally {
      leave();
    }
  }

  async function answer(id: number, chat: ChatTask): Promise<void> {
    const caller = new AbortController();
    running.set(id, caller);
    try {
      for await (const piece of await begin(chat, caller)) send({ type: 'piece', id, piece });
      send({ type: 'ended', id });
    } catch (error) {
      if (caller.signal.reason !== LEFT) send({ type: 'failed', id, ...toFailure(error) });
    } finally {
      running.delete(id);
    }
  }

  async function unload(): Promise<void> {
    if ((await generator.unload()) && running.size === 0) await prompts.close();
  }

  started();
  send({ type: 'serving', model: { context } });
  return {
    receive(message) {
      if (message.type === 'chat') void answer(message.id, message.task);
      else if (message.type === 'abort') running.get(message.id)?.abort(LEFT);
      else if (message.type === 'unload') void unload();
    },
    async close() {
      await Promise.all([generator.close(), prompts.close()]);
    },
  };
}

/** What was refused keeps its code; a conversation that the template refuses is the caller's to mend. */
export function toFailure(error: unknown): { code: EngineErrorCode; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EngineError) return { code: error.code, message };
  return { code: error instanceof TextError ? 'invalid_value' : 'internal_error', message };
}
