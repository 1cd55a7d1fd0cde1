// The engine's process: loads ONNX Runtime and runs the one task that its parent sends first. When the channel closes,
// it stops after the current pass and exits.
import { realClock } from '../clock/index.js';
import { startHeartbeat } from './process/heartbeat.js';
import type { FromWorker, ToWorker } from './process/messages.js';
import { runProbe } from './tasks/probe-task.js';
import { createScoreDesk } from './tasks/score-desk.js';
import { type Serving, startService, toFailure } from './tasks/serve-task.js';
import { createEventWindow, runTraining } from './tasks/train-task.js';

const stopRequested = new AbortController();
const pauseRequested = new AbortController();
const eventWindow = createEventWindow();
const scores = createScoreDesk(message => send(message), pauseRequested.signal);
let serving: Promise<Serving> | undefined;
let lastSent: Promise<void> = Promise.resolve();

const beginWork = startHeartbeat(realClock);

// Ctrl-C reaches every process of the terminal; this one leaves that decision to its parent.
process.on('SIGINT', () => {});

process.on('message', (message: ToWorker) => {
  if (message.type === 'train') void trainAndEnd(message);
  else if (message.type === 'probe') void runProbe(message.task, send).then(() => endWith(0));
  else if (message.type === 'cancel') stopRequested.abort(new Error('Canceled.'));
  else if (message.type === 'pause') pauseRequested.abort();
  else if (message.type === 'handled') eventWindow.release(message.count);
  else if (message.type === 'scored') scores.receive(message);
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

for (const { signal } of [stopRequested, pauseRequested])
  signal.addEventListener('abort', eventWindow.removeLimit);

process.once('disconnect', () => {
  stopRequested.abort(new Error('The parent process exited.'));
  void serving?.then(
    service => service.close(),
    () => {},
  );
});

async function trainAndEnd({ task }: Extract<ToWorker, { type: 'train' }>): Promise<void> {
  await endWith(
    (await runTraining(task, sendInWindow, {
      signal: stopRequested.signal,
      pause: pauseRequested.signal,
      score: scores.ask,
    }))
      ? 0
      : 1,
  );
}

/** Closing the channel drops unsent messages, so this waits until a busy parent has received them. */
async function endWith(exitCode: number): Promise<void> {
  process.exitCode = exitCode;
  await lastSent;
  if (process.connected) process.disconnect();
}

/**
 * Events wait while too many are unhandled by the parent. A checkpoint is handled before the next one prunes those before it: the
 * next attempt resumes from one that is recorded.
 */
async function sendInWindow(message: FromWorker): Promise<void> {
  if (message.type !== 'event') return send(message);
  await eventWindow.acquire();
  await send(message);
  if (message.event.type === 'checkpoint.saved') await eventWindow.settled();
}

/** Resolves when the message has left this process or can no longer be delivered. */
function send(message: FromWorker): Promise<void> {
  if (!process.connected) return Promise.resolve();
  lastSent = new Promise(resolve => process.send!(message, undefined, undefined, () => resolve()));
  return lastSent;
}
