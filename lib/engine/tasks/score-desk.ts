// Asks the parent for the rewards of a step's answers: one question at a time.
import type { RewardResponse } from '../../contract/index.js';
import type { FromWorker, ToWorker } from '../process/messages.js';
import type { Score } from '../train/index.js';

interface ScoreDesk {
  ask: Score;
  receive(message: Extract<ToWorker, { type: 'scored' }>): void;
}

export function createScoreDesk(send: (message: FromWorker) => Promise<void>): ScoreDesk {
  let waiting: ((message: Parameters<ScoreDesk['receive']>[0]) => void) | null = null;
  return {
    ask: (request, signal) =>
      new Promise<RewardResponse>((resolve, reject) => {
        signal?.throwIfAborted();
        const stop = () => reject(signal!.reason);
        signal?.addEventListener('abort', stop, { once: true });
        waiting = message => {
          signal?.removeEventListener('abort', stop);
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
