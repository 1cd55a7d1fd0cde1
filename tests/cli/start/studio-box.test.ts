// What svc start prints when Studio runs it: its box is a terminal of 80 columns, though the output is a pipe.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { at, completed, ended, log, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

/** As `createService` makes it, so that the folder needs no package. */
const ENTRY = `
  const callbacks = { onLog: () => { console.log({ answer: 42 }); console.error('noted'); } };
  const options = { name: 'triage', dataset: { type: 'rows', rows: [{ text: 'a' }] }, callbacks };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;
const RUN = [
  started({ timestamp: at(0) }),
  log({ step: 10, loss: 2.34567, tokensPerSecond: 400, timestamp: at(5) }),
  completed(),
  ended(),
];

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.write('src/svc/index.ts', ENTRY);
  cloud.onJob = ({ job, events }) => events.push(...RUN.map(event => ({ ...event, jobId: job.id })));
});
afterEach(() => project.close());

const svc = (env: Record<string, string>, isTTY = false) =>
  callCli(['start'], { cwd: project.cwd, env: { ...project.env, ...env }, isTTY, columns: 80 });

it('prints for the box in Studio, to the byte, what it prints on a terminal', async () => {
  await callCli(['build'], { cwd: project.cwd, env: project.env });
  const boxed = await svc({ SVC_STUDIO_OUTPUT: '1' });
  const { stdout, stderr } = await svc({}, true);
  const [latest, earlier] = cloud.jobs.map(({ job }) => job.id) as [string, string];
  const toLatest = (text: string) =>
    text.replaceAll(earlier, latest).replaceAll(earlier.slice(0, 8), latest.slice(0, 8));
  expect(toLatest(boxed.stdout)).toBe(stdout);
  expect([boxed.stderr, stderr]).toEqual(['', '']);
  expect(stdout.replaceAll('\u001b', '␛')).toMatch(/\r␛\[2K␛\[34m█+␛\[39m/);
  expect(stdout).toContain('answer: \u001b[33m42\u001b[39m');
});
