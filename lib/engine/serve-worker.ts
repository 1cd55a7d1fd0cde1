// Serves a model on a machine without a cloud: `node serve-worker.js TASK`, where TASK is a `ServeTask` as JSON. Reads
// questions from stdin, one JSON object per line, and writes lines of an ID, a word and JSON to stdout:
// `0 serving {}` once, then `7 output {…}`, `7 ended {}` or `7 failed {…}`. It ends when stdin ends.
import { createInterface } from 'node:readline';
import { type ServeTask, type ToWorker, writeOutput } from './process/messages.js';
import { startService, toFailure } from './tasks/serve-task.js';

type Told = Extract<ToWorker, { type: 'ask' | 'abort' | 'unload' }>;

// Libraries write to stdout, too; their output goes to the log.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;

const say = (id: number, word: string, json: string) => void write(`${id} ${word} ${json}\n`);

const task = JSON.parse(process.argv[2] ?? '{}') as ServeTask;
const service = await startService(
  task,
  message => {
    if (message.type === 'serving') say(0, 'serving', '{}');
    else if (message.type === 'output') say(message.id, 'output', writeOutput(message.output));
    else if (message.type === 'ended') say(message.id, 'ended', '{}');
    else if (message.type === 'failed') {
      const { code, message: text, part } = message;
      say(message.id ?? 0, 'failed', JSON.stringify({ code, message: text, part }));
    }
  },
  () => () => {},
).catch((error: unknown) => {
  say(0, 'failed', JSON.stringify(toFailure(error)));
  process.exitCode = 1;
  return null;
});
if (service) {
  const input = createInterface({ input: process.stdin });
  input.on('line', line => service.receive(JSON.parse(line) as Told));
  input.once('close', () => void service.close());
}
