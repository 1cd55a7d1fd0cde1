// The SDK in a user's own program.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProgramOptions } from '../../support/program.js';

const PROGRAM = `import { connectCloud, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'from a program',
  dataset: { type: 'rows', rows: [{ prompt: 'Ping?', completion: 'Pong.' }] },
  maxSteps: 2,
  saveSteps: 1,
  callbacks: {
    onCheckpoint: async ({ infer }) => {
      await infer({ messages: [{ role: 'user', content: 'Ping?' }], maxTokens: 4 });
    },
  },
});
const { status } = await trainer.wait();
const { jobs } = await (await connectCloud()).listJobs();
console.log(status, jobs.length);
`;

export async function useOwnProgram({ cwd, env }: ProgramOptions): Promise<void> {
  const file = join(cwd, 'program.mjs');
  writeFileSync(file, PROGRAM);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  if (!/^completed \d+$/m.test(stdout)) throw new Error(`The program printed: ${stdout}`);
}
