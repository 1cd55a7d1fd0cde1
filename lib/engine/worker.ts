// The engine's process: loads ONNX Runtime, and does the one task that its parent gives it first. When the channel
// closes it stops at the next pass and ends.
import type { FromWorker, ToWorker } from './process/messages.js';
import { type Serving, startService, toFailure } from './tasks/serve-task.js';
import { runTraining } from './tasks/train-task.js';

const stopped = new AbortController();
let serving: Promise<Serving> | undefined;

process.on('message', (message: ToWorker) => {
  if (message.type === 'train') void trainAndEnd(message);
  else if (message.type === 'cancel') stopped.abort(new Error('Cancelled.'));
  else if (message.type === 'serve') serve(message);
  else
    void serving?.then(
      service => service.receive(message),
      () => {},
    );
});

function serve({ task }: Extract<ToWorker, { type: 'serve' }>): void {
  serving = startService(task, send);
  serving.catch(error => {
    send({ type: 'failed', id: null, ...toFailure(error) });
    endWith(1);
  });
}

process.once('disconnect', () => {
  stopped.abort(new Error('The parent is gone.'));
  void serving?.then(
    service => service.close(),
    () => {},
  );
});

async function trainAndEnd({ task }: Extract<ToWorker, { type: 'train' }>): Promise<void> {
  endWith((await runTraining(task, send, stopped.signal)) ? 0 : 1);
}

function endWith(exitCode: number): void {
  process.exitCode = exitCode;
  if (process.connected) process.disconnect();
}

function send(message: FromWorker): void {
  if (process.connected) process.send!(message);
}
