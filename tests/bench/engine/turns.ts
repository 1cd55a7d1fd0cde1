// A process that measures one round whenever it is told to, so that two of them can take turns: what else the machine
// does then falls on both alike. Each line that it prints is JSON: first what it is, then a line a round.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What Node imports before a program in TypeScript. */
export const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url));

export interface Measured<Introduction, Round> {
  introduction: Introduction;
  next(): Promise<Round>;
  close(): Promise<void>;
}

export async function startMeasured<Introduction, Round>(
  command: string,
  args: readonly string[],
  { env }: { env?: NodeJS.ProcessEnv } = {},
): Promise<Measured<Introduction, Round>> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const ended = endOf(child);
  // That nobody reads any more is known by what is no longer said.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command} gave up: ${Buffer.concat(complaints).toString()}`);
    return JSON.parse(value);
  };
  return {
    introduction: await read(),
    next() {
      child.stdin.write('next\n');
      return read();
    },
    close() {
      child.stdin.end();
      return ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
