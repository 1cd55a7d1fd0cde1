// The command line: from an empty folder to an adapter that answers at its endpoint.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment, IssuedKey, Job } from '../../../lib/contract/index.js';
import { askProgram, type ProgramOptions, runProgram } from '../../support/program.js';

const SLUG = 'feedback';

export async function useCommandLine(place: ProgramOptions): Promise<void> {
  await runProgram(['init'], place);
  await runProgram(['build'], place);
  await runProgram(['start'], place);
  const { jobs } = await askProgram<{ jobs: Job[] }>(['jobs', 'list'], place);
  const job = jobs[0]!;
  if (job.status !== 'completed') throw new Error(`The training is ${job.status}: ${job.error}`);
  await runProgram(['jobs', 'show', job.id], place);
  await runProgram(['jobs', 'logs', job.id], place);
  await runProgram(['jobs', 'download', job.id], place);
  await runProgram(['jobs', 'download', job.id, '--npm'], place);
  await runProgram(['jobs', 'export', job.id, '--tensorboard'], place);
  await runProgram(['chat', '--job', job.id, 'Could you add a calendar?'], place);
  await runProgram(['endpoints', 'create', SLUG, '--job', job.id], place);
  const { key } = await askProgram<{ key: IssuedKey }>(['keys', 'issue', SLUG, '--label', 'my app'], place);
  const { deployment } = await askProgram<{ deployment: Deployment }>(['endpoints', 'show', SLUG], place);
  await callDeployment(`${deployment.pathUrl}/v1/chat/completions`, key.plaintext);
  await useTeacher(place, `${deployment.pathUrl}/v1`, key.plaintext);
  for (const words of [['whoami'], ['cloud', 'status'], ['cloud', 'gc'], ['endpoints', 'list'], ['doctor']])
    await runProgram(words, place);
}

const STUDENT = (url: string) => `import { createService, createTrainer, distil } from 'svc';
const dataset = distil({ teacher: { baseURL: '${url}', model: '${SLUG}' }, prompts: ['The page is blank.'], maxTokens: 200 });
export const service = createService({ trainer: createTrainer({ name: 'student', dataset, maxSteps: 2 }) });
`;

/** A teacher is asked with the key of the environment, which is stored nowhere. */
async function useTeacher({ cwd, env }: ProgramOptions, url: string, key: string): Promise<void> {
  const entry = join(cwd, 'src', 'svc', 'student.ts');
  writeFileSync(entry, STUDENT(url));
  await runProgram(['start', entry], { cwd, env: { ...env, OPENAI_API_KEY: key } });
  for (const folder of [join(cwd, '.svc'), join(env.HOME!, '.svc')])
    for (const path of readdirSync(folder, { recursive: true }) as string[])
      if (holds(join(folder, path), key)) throw new Error(`${path} has the teacher's key.`);
}

/** The cloud may delete files meanwhile. */
function holds(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch {
    return false;
  }
}

async function callDeployment(url: string, key: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: SLUG, messages: [{ role: 'user', content: 'The page is blank.' }] }),
  });
  if (!response.ok) throw new Error(`The endpoint answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
