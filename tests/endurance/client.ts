// The loop's side of the client: keeps what was answered and what was read, and hands a new process, after each death,
// all that the one before it left open.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, FromClient, Intent, Reach, ToClient } from './client-messages.js';
import type { NumberedEvent } from './judge.js';

export interface Client {
  /** Has this made, through however many deaths. */
  do(intent: Intent): void;
  /** Follows the job to its end, through however many deaths. */
  follow(jobId: string): void;
  answers: ReadonlyMap<string, Answer>;
  /** What readers were told, by job, in the order in which it came. */
  read: ReadonlyMap<string, NumberedEvent[]>;
  /** What has no answer yet, with the last refusal. */
  open(): string[];
  /** Kills the process and starts another. */
  kill(): void;
  end(): void;
}

const program = fileURLToPath(new URL('client-process.ts', import.meta.url));

export function createClient(reach: Reach): Client {
  const waiting = new Map<string, Intent>();
  const refusals = new Map<string, string>();
  const answers = new Map<string, Answer>();
  const read = new Map<string, NumberedEvent[]>();
  let child = start();

  function start(): ChildProcess {
    const born = fork(program, { execArgv: ['--import', 'tsx'], stdio: 'inherit' });
    born.on('message', (message: FromClient) => {
      if (message.type === 'refused') refusals.set(message.intent.name, message.reason);
      else if (message.type === 'event') read.get(message.jobId)!.push(message);
      else {
        waiting.delete(message.intent.name);
        answers.set(message.intent.name, message.answer);
      }
    });
    send(born, { type: 'reach', reach });
    for (const intent of waiting.values()) send(born, { type: 'do', intent });
    for (const [jobId, seen] of read) followIn(born, jobId, seen);
    return born;
  }

  function followIn(process: ChildProcess, jobId: string, seen: NumberedEvent[]): void {
    if (seen.at(-1)?.event.type === 'end') return;
    send(process, { type: 'follow', jobId, after: seen.at(-1)?.seq ?? 0 });
  }

  return {
    do(intent) {
      waiting.set(intent.name, intent);
      send(child, { type: 'do', intent });
    },
    follow(jobId) {
      read.set(jobId, []);
      followIn(child, jobId, []);
    },
    answers,
    read,
    open: () => [...waiting.keys()].map(name => `${name}: ${refusals.get(name) ?? 'no answer yet'}`),
    kill() {
      child.removeAllListeners('message');
      child.kill('SIGKILL');
      child = start();
    },
    end: () => void child.kill('SIGKILL'),
  };
}

function send(child: ChildProcess, message: ToClient): void {
  child.send(message, () => {});
}
