// Stands in for the engine's process: a test decides when it becomes ready, answers and dies.
import { EngineError, type Piece, type ServingProcess } from '../../../lib/engine/index.js';
import { end, text } from './scripted-backend.js';

export interface ScriptedProcess extends ServingProcess {
  preparing: string | null;
  becomeReady(): void;
  /** Fails to open the model for this reason, and exits. */
  refuse(reason: string): void;
  die(): void;
  /** Is killed because it did not respond. */
  hang(): void;
  /** How often the model was unloaded, and which adapters were. */
  unloads: number;
  unloaded: string[];
  asked: unknown[];
  /** The pieces of an answer. */
  answer: Piece[];
  closed: boolean;
}

export function scriptedProcess(): ScriptedProcess {
  let becomeReady = () => {};
  let fail: (error: EngineError) => void = () => {};
  let exit: (end: Awaited<ServingProcess['ended']>) => void = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    becomeReady = resolve;
    fail = reject;
  });
  ready.catch(() => {});
  const ended = new Promise<Awaited<ServingProcess['ended']>>(resolve => {
    exit = resolve;
  });
  const gone = new EngineError('engine_unavailable', 'The engine stopped.');

  async function* chat(signal?: AbortSignal) {
    await ready;
    signal?.throwIfAborted();
    yield* scripted.answer;
  }

  const scripted: ScriptedProcess = {
    pid: 1,
    ready,
    ended,
    isHung: false,
    preparing: null,
    closed: false,
    unloads: 0,
    unloaded: [],
    asked: [],
    becomeReady,
    answer: [text('hello'), end(3, 1)],
    ask: (_kind, task, signal) => {
      scripted.asked.push(task);
      return chat(signal) as AsyncGenerator<never>;
    },
    unload: folder => {
      if (folder === undefined) scripted.unloads++;
      else scripted.unloaded.push(folder);
    },
    refuse(reason) {
      fail(new EngineError('internal_error', reason));
      exit({ exitCode: 1, signal: null });
    },
    die() {
      fail(gone);
      exit({ exitCode: null, signal: 'SIGKILL' });
    },
    hang() {
      exit({ exitCode: null, signal: 'SIGKILL', hung: true });
      void Promise.resolve().then(() => fail(gone));
    },
    close: async () => {
      scripted.closed = true;
      scripted.die();
    },
  };
  return scripted;
}
