// Asks the parent for the rewards of a step's answers: one question at a time.
import type { RewardQuestion, RewardResponse } from '../../contract/index.js';
import type { FromWorker, ToWorker } from '../process/messages.js';

interface ScoreDesk {
  ask(request: RewardQuestion, canceled: AbortSignal | undefined): Promise<RewardResponse>;
  receive(message: Extract<ToWorker, { type: 'scored' }>): void;
}

/** A run that pauses does not wait: the program that computes the rewards may be gone. */
export function createScoreDesk(send: (message: FromWorker) => Promise<void>, pause: AbortSignal): ScoreDesk {
  let waiting: ((message: Parameters<ScoreDesk['receive']>[0]) => void) | null = null;
  return {
    ask: (request, canceled) =>
      new Promise<RewardResponse>((resolve, reject) => {
        const signal = canceled ? AbortSignal.any([canceled, pause]) : pause;
        signal.throwIfAborted();
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        waiting = message => {
          signal.removeEventListener('abort', stop);
          if ('response' in message) resolve(message.response);
          else reject(new Error(message.problem));
        };
        void send({ type: 'score', request });
      }),
    receive(message) {
      waiting?.(message);
      waiting = null;
    },
  };
}
