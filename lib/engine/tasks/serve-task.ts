// A model that answers chats until the channel closes. Adapters are read when they are first asked for, and the ones
// used last are kept.
import {
  createGenerator,
  EngineError,
  type Generator,
  type LoadedAdapter,
  loadAdapter,
  promptTooLong,
} from '../generate/index.js';
import { type ModelConfig, openModel } from '../model/index.js';
import type { ChatTask, FromWorker, ServeTask, ToWorker } from '../process/messages.js';
import { type ChatMessage, type ModelText, openText, TextError } from '../text/index.js';

const KEPT_ADAPTERS = 16;

export interface Serving {
  receive(message: ToWorker): void;
  close(): Promise<void>;
}

/** Opens the model and says that it serves; throws when it cannot be opened. */
export async function startService(
  { modelFolder, threads, provider, weights, maxBatch, queueLimit }: ServeTask,
  send: (message: FromWorker) => void,
): Promise<Serving> {
  const [model, text] = [await openModel(modelFolder), await openText(modelFolder)];
  const generator = createGenerator({
    ...model,
    text,
    session: { threads, ...(provider && { provider }), ...(weights && { weights }) },
    ...(maxBatch !== undefined && { maxBatch }),
    ...(queueLimit !== undefined && { queueLimit }),
  });
  const adapters = createAdapterShelf(model.config);
  const running = new Map<number, AbortController>();

  async function answer(id: number, task: ChatTask): Promise<void> {
    const aborter = new AbortController();
    running.set(id, aborter);
    try {
      for await (const piece of await begin(generator, text, adapters, task, aborter.signal))
        send({ type: 'piece', id, piece });
      send({ type: 'ended', id });
    } catch (error) {
      if (!aborter.signal.aborted) send({ type: 'failed', id, ...toFailure(error) });
    } finally {
      running.delete(id);
    }
  }

  send({ type: 'serving', model: { context: generator.context } });
  return {
    receive(message) {
      if (message.type === 'chat') void answer(message.id, message.task);
      else if (message.type === 'abort') running.get(message.id)?.abort();
      else if (message.type === 'unload') void generator.unload();
    },
    close: () => generator.close(),
  };
}

async function begin(
  generator: Generator,
  text: ModelText,
  adapters: AdapterShelf,
  { messages, tools, adapterFolder, ...settings }: ChatTask,
  signal: AbortSignal,
) {
  const prompt = text.renderChat(messages as readonly ChatMessage[], {
    addGenerationPrompt: true,
    ...(tools && { tools }),
  });
  // To take a very long text apart would keep everybody else waiting.
  const least = text.countAtLeast(prompt.length);
  if (least > generator.context) throw promptTooLong(`at least ${least}`, generator.context);
  const adapter = adapterFolder === null ? null : await adapters.take(adapterFolder);
  const { temperature = text.sampling.temperature, topP = text.sampling.topP } = settings;
  const promptIds = text.encode(prompt);
  return generator.generate({ ...settings, temperature, topP, promptIds, adapter }, signal);
}

interface AdapterShelf {
  take(folder: string): Promise<LoadedAdapter>;
}

function createAdapterShelf(config: ModelConfig): AdapterShelf {
  const kept = new Map<string, Promise<LoadedAdapter>>();
  return {
    take(folder) {
      const adapter = kept.get(folder) ?? loadAdapter(folder, config);
      kept.delete(folder);
      kept.set(folder, adapter);
      adapter.catch(() => kept.delete(folder));
      if (kept.size > KEPT_ADAPTERS) kept.delete(kept.keys().next().value!);
      return adapter;
    },
  };
}

/** What was refused keeps its code; a conversation that the template refuses is the caller's to mend. */
export function toFailure(error: unknown): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EngineError) return { code: error.code, message };
  return { code: error instanceof TextError ? 'invalid_value' : 'internal_error', message };
}
