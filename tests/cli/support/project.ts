// `svc` in a folder that is a project of a cloud in memory: a new one for each test of the file that asks for it.
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleJob } from '../../support/samples.js';
import { completed, ended, started } from './job-events.js';
import { callCli, startCli, type TerminalOptions } from './terminal.js';

/** As it is typed after `svc`, or word by word where one has blanks in it or none at all. */
export type Line = string | readonly string[];

interface Setup {
  /** It has an identity and a project, as after the first run. */
  isLinked?: boolean;
  /** The source of its service. */
  entry?: string;
  routes?: Parameters<typeof openRemoteProject>[0];
}

export function projectOfEach({ isLinked = false, entry, routes }: Setup = {}) {
  const project = {} as RemoteProject;
  beforeEach(async () => {
    Object.assign(project, await openRemoteProject(routes));
    if (isLinked) await project.link();
    if (entry !== undefined) await writeEntry(entry);
  });
  afterEach(async () => {
    for (const { job } of project.cloud.jobs) project.cloud.emit(job.id, ended('cancelled'));
    await project.close();
  });
  const writeEntry = (source: string) => project.write('src/svc/index.ts', source);
  const place = (more: Partial<TerminalOptions>) => ({
    cwd: project.cwd,
    ...more,
    env: { ...project.env, NO_COLOR: '1', ...more.env },
  });
  const svc = (line: Line, more: Partial<TerminalOptions> = {}) => callCli(toWords(line), place(more));
  return Object.assign(project, {
    svc,
    /** What it prints. */
    print: async (line: Line) => (await svc(line)).stdout,
    /** What it answers with `--json`. */
    json: async (line: Line) => JSON.parse((await svc([...toWords(line), '--json'])).stdout),
    start: (line: Line, more: Partial<TerminalOptions> = {}) => startCli(toWords(line), place(more)),
    atTerminal: (line: Line) => startCli(toWords(line), place({ isTTY: true, columns: 80 })),
    writeEntry,
    path: (...names: string[]) => join(project.cwd, ...names),
    addJob(fields: Partial<Job> = {}, events: JobEvent[] = [started(), completed(), ended()]) {
      const job = sampleJob({ status: 'completed', ...fields });
      const added = { job, events, archives: {} as Record<string, Uint8Array<ArrayBuffer>> };
      project.cloud.jobs.push(added);
      return added;
    },
    /** Each new job has these for a log. */
    jobsHave(...events: JobEvent[]) {
      project.cloud.onJob = ({ job, events: log }) => {
        job.status = 'running';
        log.push(...events.map(event => ({ ...event, jobId: job.id })));
      };
    },
  });
}

const toWords = (line: Line): string[] => (typeof line === 'string' ? line.split(' ') : [...line]);

/** Ends with this code, and says this among other things. */
export const failure = (exitCode: number, text: string) => ({
  exitCode,
  stderr: expect.stringContaining(text),
});

/** A usage error: nothing is printed but what is wrong. */
export const misuse = (text: string) => ({ ...failure(2, text), stdout: '' });

export const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

/** A service as `createService` makes it, so that the folder needs no package. */
export const entryOf = ({ name = 'triage', callbacks = '{}', options = '', trainer = '' } = {}) => `
  const rows = [{ prompt: 'Hello', completion: 'Hi' }];
  const options = { name: '${name}', dataset: { type: 'rows', rows }, callbacks: ${callbacks}, ${options} };
  const trainer = { name: options.name, options, start() {}, ${trainer} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;
