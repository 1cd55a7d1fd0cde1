// svc start: a run from the entry to its end, against a cloud in memory.
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type JobEvent } from '../../../lib/contract/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { until } from '../../support/until.js';
import {
  at,
  checkpoint,
  completed,
  ended,
  failed,
  log,
  longRows,
  preparing,
  started,
} from '../support/job-events.js';
import { callCli, type RunningCall, startCli, type TerminalOptions } from '../support/terminal.js';

/** What the fake cloud says of every data set. */
const DATA = 'Data: Alpaca: 8 rows; 18 of 60 tokens are learned (30%).';
const CTRL_C = '\u0003';

/** As `createService` makes it, so that the folder needs no package. */
const entry = (callbacks = '{}', name = 'triage') => `
  const options = { name: '${name}', dataset: { type: 'rows', rows: [{ text: 'a' }] }, callbacks: ${callbacks} };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.write('src/svc/index.ts', entry());
});
afterEach(async () => {
  for (const { job } of cloud.jobs) cloud.emit(job.id, ended('cancelled'));
  await project.close();
});

const options = (more: Partial<TerminalOptions> = {}) => ({
  cwd: project.cwd,
  ...more,
  env: { ...project.env, NO_COLOR: '1', ...more.env },
});
const svc = (argv: string[], more?: Partial<TerminalOptions>) => callCli(argv, options(more));

/** Each new job has this for a log. */
function jobsHave(...events: JobEvent[]) {
  cloud.onJob = job => job.events.push(...events.map(event => ({ ...event, jobId: job.job.id })));
}

const saved = { bytes: 1500, sha256: 'a'.repeat(64) };
const RUN = [
  started({ timestamp: at(0) }),
  log({ step: 10, loss: 2.34567, tokensPerSecond: 400, timestamp: at(5) }),
  checkpoint({ step: 20 }),
  log({ step: 20, loss: 1.5, evalLoss: 1.75, timestamp: at(10) }),
  completed({
    artifacts: [
      { name: 'checkpoint-20', kind: 'checkpoint', step: 20, ...saved },
      { name: 'final', kind: 'final', step: 40, ...saved },
    ],
  }),
  ended(),
];

/** What stays on the screen: whatever is on a line before it is erased does not, nor do colors. */
const toPlain = (drawn: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what terminals are told with
  drawn.replace(/[^\n]*\r\u001b\[2K/g, '').replace(/\u001b\[[\d;]*m/g, '');

describe('svc start', () => {
  it('builds, trains and says how it ended, a line each', async () => {
    jobsHave(...RUN);
    const { exitCode, stdout, stderr } = await svc(['start']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { id, name } = cloud.jobs[0]!.job;
    expect(name).toBe('triage');
    expect(stdout).toBe(
      [
        'Built src/svc/index.ts.',
        DATA,
        `Queued "triage", job ${id}.`,
        'Training svc/tiny: 40 steps, 12,288 trainable parameters, 4,000 training tokens.',
        'step 10/40  loss 2.346  400 tokens/s  ETA 15 s',
        'step 20  checkpoint saved',
        'step 20/40  loss 1.5  eval loss 1.75  400 tokens/s  ETA 10 s',
        '✔ completed  in 10.0 s  final loss 1.5  final eval loss 1.75  2 artifacts',
        '  final  final adapter, step 40, 1.5 kB',
        '',
        'Next:',
        `  svc chat --job ${id.slice(0, 8)}`,
        `  svc endpoints create SLUG --job ${id.slice(0, 8)}`,
        '',
      ].join('\n'),
    );
  });

  it("waits for the cloud's storage, and says so", async () => {
    let locks = 1;
    cloud.onJob = job => {
      if (locks-- > 0) throw new ApiError('storage_unavailable', 'It is locked. This usually passes.');
      job.events.push(...RUN);
    };
    const { exitCode, stdout } = await svc(['start']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Built .*\nData: .*\nWaiting: It is locked\. This usually passes\.\nQueued "triage", job /,
    );
  });

  it('draws the progress in one line on a terminal', async () => {
    jobsHave(...RUN);
    const { stdout } = await svc(['start'], { isTTY: true, columns: 70 });
    const drawn = stdout.split('\r\u001b[2K');
    expect(drawn).toContain('█████░░░░░░░░░░░░░░░░  step 10/40  loss 2.346  ETA 15 s  400 tokens/s');
  });

  it('prints the same lines on a terminal as into a pipe, without the steps that its progress line shows', async () => {
    jobsHave(...RUN);
    await svc(['build']);
    const piped = await svc(['start']);
    const { stdout } = await svc(['start'], { isTTY: true, columns: 70 });
    const [latest, earlier] = cloud.jobs.map(({ job }) => job.id) as [string, string];
    const toLatest = (text: string) =>
      text.replaceAll(earlier, latest).replaceAll(earlier.slice(0, 8), latest.slice(0, 8));
    const step = 'step 10/40  loss 2.346  400 tokens/s  ETA 15 s\n';
    expect(piped.stdout).toContain(step);
    expect(toPlain(stdout)).toBe(toLatest(piped.stdout).replace(step, ''));
    const { stdout: kept } = await svc(['start'], { isTTY: true, columns: 70, env: { CI: '1' } });
    expect(kept).toContain(step);
  });

  it('answers one event object a line for scripts, and nothing else', async () => {
    await project.write('src/svc/index.ts', entry("{ onLog: () => console.log('from the callback') }"));
    jobsHave(...RUN);
    const { exitCode, stdout, stderr } = await svc(['start', '--json']);
    expect(exitCode).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(cloud.jobs[0]!.events);
    expect(stderr).toContain('from the callback\nfrom the callback\n');
  });

  it("lets the callbacks' own words through", async () => {
    await project.write('src/svc/index.ts', entry("{ onLog: ({ step }) => console.log('at', { step }) }"));
    jobsHave(...RUN);
    const { stdout } = await svc(['start']);
    expect(stdout).toContain('ETA 15 s\nat { step: 10 }\n');
  });

  it('shows how many rows were read while nothing else is to be seen', async () => {
    jobsHave(preparing({ rows: 90_000, totalRows: null }), preparing(), ...RUN);
    const { stdout } = await svc(['start'], { isTTY: true, columns: 70 });
    const drawn = stdout.split('\r\u001b[2K');
    expect(drawn).toContain('Preparing rows: 90,000 found so far');
    expect(drawn).toContain('Preparing rows: 120,000 of 663,905');
  });

  it.each<[string, JobEvent[]]>([
    ['before it begins', [started({ tooLong: longRows })]],
    [
      'in its course',
      [
        started({ trainTokens: null, tooLong: { ...longRows, truncated: 1 } }),
        preparing({ tooLong: { ...longRows, truncated: 7 } }),
        preparing({ rows: 663_905, tooLong: longRows }),
      ],
    ],
    ['not to the end', [started({ trainTokens: null }), preparing({ tooLong: longRows })]],
  ])('says once which rows are too long, of a run that read all of them %s', async (_, events) => {
    jobsHave(...events, ...RUN.slice(1));
    const { stdout } = await svc(['start']);
    expect(stdout.match(/^! .*too long|^! .*longer.*/gm)).toEqual([
      '! 14 rows are longer than 512 tokens: 12 truncated, 2 skipped. ' +
        'See train.jsonl row 3 (812 tokens), train.jsonl row 9 (1,600 tokens), …',
    ]);
  });

  it('fails when the job does, with its reason', async () => {
    jobsHave(started(), failed(), ended('failed'));
    const { exitCode, stdout } = await svc(['start']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✖ failed {2}train\.jsonl, row 3: there is nothing to learn\.\n$/);
  });

  it('fails when the job is cancelled elsewhere', async () => {
    jobsHave(started(), ended('cancelled'));
    expect(await svc(['start'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/◌ cancelled\n$/),
    });
  });

  it.each([[[]], [['--json']]])('says what a job waits for that does not begin %j', async words => {
    const first = startCli(['start', ...words], options());
    await until(() => cloud.jobs.length).toBe(1);
    const { job } = cloud.jobs[0]!;
    cloud.emit(job.id, started({ jobId: job.id }));
    job.status = 'running';
    const second = startCli(['start', ...words], options());
    const said = words.length > 0 ? 'stderr' : 'stdout';
    await until(() => second[said]).toContain('Waiting for 1 running job on this cloud.\n');
    for (const { job } of cloud.jobs)
      for (const event of RUN) cloud.emit(job.id, { ...event, jobId: job.id });
    expect((await second.done).exitCode).toBe(0);
    expect((await first.done)[said]).not.toContain('Waiting for');
  });

  it('goes on when the stream is cut, and says so once', async () => {
    jobsHave(...RUN);
    cloud.cutsAfter = 3;
    const { exitCode, stdout } = await svc(['start']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^! Lost the connection to the cloud: .* Retrying\.\nThe cloud is back\.$/m);
    expect(stdout.match(/step 10\/40|step 20\/40|Lost the connection/g)).toHaveLength(3);
  });
});

describe('the build that is run', () => {
  beforeEach(() => jobsHave(...RUN));

  it('is the one that is there, and says when its sources are newer', async () => {
    await svc(['build']);
    expect((await svc(['start'])).stdout).toMatch(/^Using the latest build \(just now\)\.\nData: .*\nQueued/);
    await project.write('src/svc/index.ts', entry('{}', 'renamed'));
    const soon = new Date(Date.now() + 60_000);
    await utimes(join(project.cwd, 'src/svc/index.ts'), soon, soon);
    const { stdout } = await svc(['start']);
    expect(stdout).toContain(
      '! 1 source changed since the last build: src/svc/index.ts. Run "svc build" to use the changes.\n',
    );
    expect(stdout).toContain('Queued "triage"');
    await svc(['build']);
    expect((await svc(['start'])).stdout).toContain('Queued "renamed"');
  });

  it('is a new one when an entry is named', async () => {
    await svc(['build']);
    await project.write('other.ts', entry('{}', 'other'));
    expect((await svc(['start', 'other.ts'])).stdout).toMatch(/^Built other\.ts\.\nData: .*\nQueued "other"/);
  });

  it('is made by svc build, which says where it is', async () => {
    await project.write('src/svc/index.ts', `import './more.js';${entry()}`);
    await project.write('src/svc/more.ts', 'export {};');
    const { stdout } = await svc(['build', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      entry: join(project.cwd, 'src/svc/index.ts'),
      path: join(project.cwd, '.svc/build/index.mjs'),
      sources: [join(project.cwd, 'src/svc/more.ts'), join(project.cwd, 'src/svc/index.ts')],
    });
    expect((await svc(['build'])).stdout).toMatch(
      /^Built \.svc\/build\/index\.mjs from src\/svc\/index\.ts: 2 sources, [\d.]+ kB\.\n$/,
    );
  });
});

describe('an entry that cannot be run', () => {
  it.each([
    ['export const service = {;', /src\/svc\/index\.ts:1:\d+: /],
    ['export const other = 1;', /The entry exports no service\.\nExport one: /],
    [
      "export default Object.defineProperty({ trainer: null }, Symbol.for('svc.service'), { value: true });",
      /No trainer is registered\. Add a trainer and pass it to `createService`\./,
    ],
    ["throw new RangeError('too far');", /The entry threw: RangeError: too far\n/],
    ["throw 'a word';", /The entry threw: a word\n/],
  ])('%s', async (source, complaint) => {
    await project.write('src/svc/index.ts', source);
    const { exitCode, stderr } = await svc(['start']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(complaint);
    expect(cloud.calls).toEqual([]);
  });

  it('is named when it is missing', async () => {
    const { exitCode, stderr } = await svc(['start', 'nowhere.ts']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`There is no nowhere.ts in ${project.cwd}.`);
  });

  it('does not take the job with it when a callback throws', async () => {
    await project.write('src/svc/index.ts', entry("{ onLog() { throw new Error('mine') } }"));
    jobsHave(...RUN);
    const { exitCode, stderr } = await svc(['start']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('A callback threw: mine\n');
    expect(stderr).toContain(
      `The job is still running. Check it with "svc jobs show ${cloud.jobs[0]!.job.id}".`,
    );
  });

  it('does not say that the job goes on when the callback of its end throws', async () => {
    await project.write('src/svc/index.ts', entry("{ onCompleted() { throw new Error('mine') } }"));
    jobsHave(...RUN);
    const addEvents = cloud.onJob;
    cloud.onJob = job => {
      addEvents(job);
      job.job.status = 'completed';
    };
    const { exitCode, stderr } = await svc(['start']);
    expect(exitCode).toBe(1);
    const { id } = cloud.jobs[0]!.job;
    expect(stderr).toContain(`A callback threw: mine\n`);
    expect(stderr).toContain(`\nThe job is completed. See it with "svc jobs show ${id}".\n`);
    expect(stderr).not.toContain('still running');
  });
});

/** What stands behind the question, on its line. */
const behindQuestion = (stdout: string) =>
  stripVTControlCharacters(stdout.split('[y/N] ')[1]!.split('\n')[0]!).trim();

describe('being told to stop', () => {
  const start = (more?: Partial<TerminalOptions>): RunningCall => startCli(['start'], options(more));
  const terminal = { isTTY: true, columns: 80 };
  const statusOf = () => cloud.jobs[0]!.job.status;
  beforeEach(() => jobsHave(started(), log({ step: 10, loss: 2 })));

  it('by Ctrl-C asks whether to cancel the job, and does on a yes', async () => {
    const call = start(terminal);
    await call.shown('step 10/40');
    call.signal('SIGINT');
    await call.shown('Cancel the job? Press Ctrl-C again to leave it running. [y/N] ');
    call.type('y\r');
    expect(await call.done).toMatchObject({ exitCode: 130, stdout: expect.stringMatching(/◌ cancelled\n$/) });
    expect(statusOf()).toBe('cancelled');
  });

  it('goes on when the answer is anything else', async () => {
    const call = start(terminal);
    await call.shown('step 10/40');
    call.signal('SIGINT');
    await call.shown('[y/N]');
    cloud.emit(cloud.jobs[0]!.job.id, log({ step: 30, loss: 1, evalLoss: 1 }));
    call.type('\r');
    await call.shown('step 30/40  loss 1  eval loss 1');
    cloud.emit(cloud.jobs[0]!.job.id, completed());
    cloud.emit(cloud.jobs[0]!.job.id, ended());
    expect((await call.done).exitCode).toBe(0);
  });

  it('by a second Ctrl-C leaves the job running', async () => {
    const call = start(terminal);
    await call.shown('step 10/40');
    call.signal('SIGINT');
    await call.shown('[y/N]');
    call.type(CTRL_C);
    const { exitCode, stdout } = await call.done;
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/The job is still running\. Follow it with "svc jobs logs \w{8} --follow"/);
    expect(behindQuestion(stdout)).toBe('');
    expect(statusOf()).not.toBe('cancelled');
  });

  it('ends the question when the job ends', async () => {
    const call = start(terminal);
    await call.shown('step 10/40');
    call.signal('SIGINT');
    await call.shown('[y/N]');
    cloud.emit(cloud.jobs[0]!.job.id, completed());
    cloud.emit(cloud.jobs[0]!.job.id, ended());
    const { exitCode, stdout } = await call.done;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('✔ completed');
    expect(behindQuestion(stdout)).toBe('');
  });

  it.each([
    ['SIGINT', {}],
    ['SIGINT', { ...terminal, env: { CI: '1' } }],
    ['SIGTERM', terminal],
    ['SIGHUP', terminal],
  ] as const)('by %s with %j asks nothing and leaves the job running', async (signal, more) => {
    const call = start(more);
    await call.shown('Queued');
    call.signal(signal);
    const { exitCode, stdout } = await call.done;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('The job is still running.');
    expect(stdout).not.toContain('[y/N]');
    expect(statusOf()).not.toBe('cancelled');
  });
});
