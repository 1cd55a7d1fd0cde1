// The process that reads files, so that nobody who answers requests has to: counts rows, computes digests, downloads.
// It ends when its parent closes the channel, or is gone.
import { toFault } from './files/faults.js';
import type { FromFileWorker, ToFileWorker } from './files/messages.js';
import { doWork } from './files/work.js';

const running = new Map<number, AbortController>();

// Ctrl-C reaches every process of a terminal; this one ends when its parent says so, or is gone.
process.on('SIGINT', () => {});

process.on('message', (message: ToFileWorker) => {
  if (message.type === 'work') void work(message);
  else running.get(message.id)?.abort();
});

process.once('disconnect', () => {
  for (const controller of running.values()) controller.abort();
});

async function work({ id, kind, given }: Extract<ToFileWorker, { type: 'work' }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    send({ type: 'done', id, result: await doWork(kind, given, controller.signal) });
  } catch (error) {
    send({ type: 'failed', id, fault: toFault(error) });
  } finally {
    running.delete(id);
  }
}

function send(message: FromFileWorker): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}
