// The command line: from an empty folder to an adapter that answers at its endpoint.
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
  for (const words of [['whoami'], ['cloud', 'status'], ['cloud', 'gc'], ['endpoints', 'list'], ['doctor']])
    await runProgram(words, place);
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
