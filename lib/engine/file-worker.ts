// A process that counts rows, computes digests and downloads, so that answering requests never waits for files. Does one
// piece of work at a time. Exits when its parent closes the channel or dies.
import { realClock } from '../clock/index.js';
import { type FromFileWorker, serializeError, type ToFileWorker } from './files/messages.js';
import { doWork } from './files/work.js';
import { startHeartbeat } from './process/heartbeat.js';

let running: AbortController | null = null;

startHeartbeat(realClock);

// Ctrl-C reaches every process of the terminal; this one leaves that decision to its parent.
process.on('SIGINT', () => {});

process.on('message', (message: ToFileWorker) => {
  if (message.type === 'work') void work(message);
  else running?.abort();
});

process.once('disconnect', () => running?.abort());

async function work({ kind, input }: Extract<ToFileWorker, { type: 'work' }>): Promise<void> {
  const controller = new AbortController();
  running = controller;
  try {
    send({ type: 'done', result: await doWork(kind, input, controller.signal) });
  } catch (error) {
    send({ type: 'failed', error: serializeError(error) });
  } finally {
    running = null;
  }
}

function send(message: FromFileWorker): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}
