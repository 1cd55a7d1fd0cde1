// The run started from this Studio: its status and its output.
import type { StudioRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { TrainRun } from '../train/train-run.js';

type TrainHandlers = Pick<Handlers<StudioRoutes>, 'getTrainStatus' | 'startTraining' | 'streamTrainOutput'>;

export function createTrainHandlers(run: TrainRun): TrainHandlers {
  return {
    getTrainStatus: () => run.status(),
    startTraining: async () => toText(await run.start()),
    streamTrainOutput: () => toText(run.output()),
  };
}

function toText(bytes: ReadableStream<Uint8Array>): Response {
  return new Response(bytes, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}
