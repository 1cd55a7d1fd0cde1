// The process that counts rows, computes digests and downloads, so that answering requests never waits for files.
// Exits when its parent closes the channel or dies.

import type { FromFileWorker, ToFileWorker } from './files/messages.js';
import { serializeError } from './files/serialize-error.js';
import { doWork } from './files/work.js';

const running = new Map<number, AbortController>();

// Ctrl-C reaches every process of the terminal; this one leaves that decision to its parent.
process.on('SIGINT', () => {});

process.on('message', (message: ToFileWorker) => {
  if (message.type === 'work') void work(message);
  else running.get(message.id)?.abort();
});

process.once('disconnect', () => {
  for (const controller of running.values()) controller.abort();
});

async function work({ id, kind, input }: Extract<ToFileWorker, { type: 'work' }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    send({ type: 'done', id, result: await doWork(kind, input, controller.signal) });
  } catch (error) {
    send({ type: 'failed', id, error: serializeError(error) });
  } finally {
    running.delete(id);
  }
}

function send(message: FromFileWorker): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}
