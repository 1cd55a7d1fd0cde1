// A cloud in a process of its own, with a project to measure in.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import type { Scope } from '../../../lib/contract/index.js';
import { findTestProgram } from '../../support/test-program.js';
import type { Measured, ToServer } from './server.js';

/** An organization of its own, with a project. */
export interface Caller {
  token: string;
  scope: Scope;
  client: CloudClient;
}

export interface Server extends Caller {
  url: string;
  child: ChildProcess;
}

export async function withServer<T>(
  folder: string,
  measure: (server: Server) => Promise<T>,
  options: StartOptions = {},
): Promise<T> {
  const child = await start('server.ts', [folder, baseModelFolder()], options);
  try {
    const { url } = await next<{ url: string }>(child, 'ready');
    return await measure({ url, child, ...(await signUp(url)) });
  } finally {
    child.kill();
  }
}

export async function signUp(url: string): Promise<Caller> {
  const { token, personalOrg } = await createCloudClient({ baseUrl: url }).signUpAnonymously();
  const scope = { orgSlug: personalOrg.slug, projectSlug: 'bench' };
  const client = createCloudClient({ baseUrl: url, token, scope });
  await client.createProject(personalOrg.slug, { name: 'bench', slug: 'bench' });
  return { token, scope, client };
}

export async function startJob(client: CloudClient): Promise<string> {
  const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"a"}\n');
  const config = { model: 'bench', datasetSource: { type: 'upload', datasetId: dataset.id } } as const;
  return (await client.createJob({ name: 'bench', config })).job.id;
}

interface StartOptions {
  /** The most file descriptors that it may have open. */
  descriptors?: number | undefined;
}

export async function start(
  file: string,
  args: string[],
  { descriptors }: StartOptions = {},
): Promise<ChildProcess> {
  const { path, execArgv } = await findTestProgram(fileURLToPath(new URL(file, import.meta.url)));
  if (descriptors === undefined) return fork(path, args, { execArgv });
  const limited = `ulimit -n ${descriptors} && exec "${process.execPath}" ${execArgv.join(' ')} "$0" "$@"`;
  return fork(path, args, { execPath: '/bin/sh', execArgv: ['-c', limited] });
}

export function next<T>(child: ChildProcess, type: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: { type: string }) => {
      if (message.type !== type) return;
      child.off('message', onMessage).off('exit', onExit);
      resolve(message as T);
    };
    const onExit = (code: number | null) => reject(new Error(`A process of the bench ended with ${code}.`));
    child.on('message', onMessage).once('exit', onExit);
  });
}

export function ask(child: ChildProcess, message: ToServer): Promise<Measured> {
  const answer = next<Measured>(child, message.type);
  child.send(message);
  return answer;
}

export async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise(resolve => setTimeout(resolve, 20));
}
