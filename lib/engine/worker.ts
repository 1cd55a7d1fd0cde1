// The engine's process: loads ONNX Runtime, and does the one task that its parent gives it first. When the channel
// closes it stops at the next pass and ends.
import { startHeartbeat } from './process/heartbeat.js';
import type { FromWorker, ToWorker } from './process/messages.js';
import { createEventWindow } from './tasks/event-window.js';
import { type Serving, startService, toFailure } from './tasks/serve-task.js';
import { runTraining } from './tasks/train-task.js';

const stopped = new AbortController();
const paused = new AbortController();
/** So many events may wait for the parent to take them. */
const eventWindow = createEventWindow(256);
let serving: Promise<Serving> | undefined;
let lastSent: Promise<void> = Promise.resolve();

const beginWork = startHeartbeat();

// Ctrl-C reaches every process of a terminal; this one ends when its parent says so, or is gone.
process.on('SIGINT', () => {});

process.on('message', (message: ToWorker) => {
  if (message.type === 'train') void trainAndEnd(message);
  else if (message.type === 'cancel') stopped.abort(new Error('Cancelled.'));
  else if (message.type === 'pause') paused.abort();
  else if (message.type === 'taken') eventWindow.taken(message.count);
  else if (message.type === 'serve') serve(message);
  else
    void serving?.then(
      service => service.receive(message),
      () => {},
    );
});

function serve({ task }: Extract<ToWorker, { type: 'serve' }>): void {
  serving = startService(task, send, beginWork);
  serving.catch(error => {
    void send({ type: 'failed', id: null, ...toFailure(error) });
    void endWith(1);
  });
}

for (const { signal } of [stopped, paused]) signal.addEventListener('abort', eventWindow.open);

process.once('disconnect', () => {
  stopped.abort(new Error('The parent is gone.'));
  void serving?.then(
    service => service.close(),
    () => {},
  );
});

async function trainAndEnd({ task }: Extract<ToWorker, { type: 'train' }>): Promise<void> {
  await endWith(
    (await runTraining(task, sendInWindow, { signal: stopped.signal, pause: paused.signal })) ? 0 : 1,
  );
}

/** Closing the channel drops what still waits in it: a parent that is busy gets everything first. */
async function endWith(exitCode: number): Promise<void> {
  process.exitCode = exitCode;
  await lastSent;
  if (process.connected) process.disconnect();
}

/** An event waits until the parent has taken those before it. */
async function sendInWindow(message: FromWorker): Promise<void> {
  if (message.type === 'event') await eventWindow.enter();
  await send(message);
}

/** Resolves when the message has left this process, or nobody is there to take it. */
function send(message: FromWorker): Promise<void> {
  if (!process.connected) return Promise.resolve();
  lastSent = new Promise(resolve => process.send!(message, undefined, undefined, () => resolve()));
  return lastSent;
}
