// Trains on a machine without a cloud: `node run-worker.js FOLDER` reads the run from FOLDER/run.json, writes its messages
// to stdout, one JSON object per line, and takes commands to pause or cancel on stdin. It ends when stdin ends. Its caller
// fetches the files first, and saves the files that the messages name.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RewardQuestion, RewardRequest } from '../contract/index.js';
import type { FromWorker, ToWorker } from './process/messages.js';
import { createScoreDesk } from './tasks/score-desk.js';
import { createEventWindow, readRunFile, runTraining } from './tasks/train-task.js';

type ToRun = Extract<ToWorker, { type: 'handled' | 'cancel' | 'pause' | 'scored' }>;

const [folder = '.'] = process.argv.slice(2);
const [stop, pause] = [new AbortController(), new AbortController()];
const events = createEventWindow();
for (const { signal } of [stop, pause]) signal.addEventListener('abort', events.removeLimit);

// Libraries write to stdout, too; their output goes to the log.
const write = process.stdout.write.bind(process.stdout) as (
  text: string,
  done: (error?: Error | null) => void,
) => boolean;
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;

async function send(message: FromWorker): Promise<void> {
  if (message.type === 'event') await events.acquire();
  await new Promise<void>((resolve, reject) => {
    write(`${JSON.stringify(message)}\n`, error => (error ? reject(error) : resolve()));
  });
}

const scores = createScoreDesk(send, pause.signal);

/** The cloud knows the rows. */
function toQuestion({ step, groups }: RewardRequest): RewardQuestion {
  return { step, groups: groups.map(({ row, answers }) => ({ row, answers })) };
}

const input = createInterface({ input: process.stdin });
input.on('line', line => {
  const message = JSON.parse(line) as ToRun;
  if (message.type === 'handled') events.release(message.count);
  else if (message.type === 'scored') scores.receive(message);
  else if (message.type === 'cancel') stop.abort(new Error('Canceled.'));
  else pause.abort();
});
input.once('close', () => stop.abort(new Error('The parent process exited.')));

const task = readRunFile(await readFile(join(folder, 'run.json'), 'utf8'));
const control = {
  signal: stop.signal,
  pause: pause.signal,
  score: (request, signal) => scores.ask(toQuestion(request), signal),
} satisfies Parameters<typeof runTraining>[2];
const isGood = await runTraining(task, send, control);
process.exitCode = isGood ? 0 : 1;
input.close();
process.stdin.destroy();
