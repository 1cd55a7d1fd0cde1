// svc start: a run from the entry to its end, against a cloud in memory.
import { readFileSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type JobEvent } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { writeCredentials } from '../../support/write-credentials.js';
import {
  at,
  checkpoint,
  completed,
  ended,
  failed,
  log,
  longRows,
  preparing,
  score,
  started,
} from '../support/job-events.js';
import { entryOf, failure, jsonLines, projectOfEach } from '../support/project.js';

/** What the fake cloud says of every data set. */
const DATA = 'Data: Alpaca: 8 rows, 1 of them held out; 18 of 60 tokens are learned (30%).';
const CTRL_C = '\u0003';

const project = projectOfEach({ entry: entryOf() });
const { svc, start, atTerminal, jobsHave, writeEntry, print } = project;

const STEP = 'step 10/40  loss 2.346  400 tokens/s  ETA 15 s\n';
const RUN = [
  started({ timestamp: at(0) }),
  log({ step: 10, loss: 2.34567, tokensPerSecond: 400, timestamp: at(5) }),
  checkpoint({ step: 20 }),
  log({ step: 20, loss: 1.5, evalLoss: 1.75, timestamp: at(10) }),
  completed(),
  ended(),
];

/** What stays on the screen: whatever is on a line before it is erased does not, nor do colors. */
const toPlain = (drawn: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what terminals are told with
  drawn.replace(/[^\n]*\r\u001b\[2K/g, '').replace(/\u001b\[[\d;]*m/g, '');

/** What the run before the last one printed, as if it had been the last. */
function asLatest(text: string): string {
  const [latest, earlier] = project.cloud.jobs.map(({ job }) => job.id) as [string, string];
  return text.replaceAll(earlier, latest).replaceAll(earlier.slice(0, 8), latest.slice(0, 8));
}

describe('svc start', () => {
  it('builds, trains and says how it ended, a line each', async () => {
    jobsHave(...RUN);
    const { exitCode, stdout, stderr } = await svc('start');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { id, name } = project.cloud.jobs[0]!.job;
    expect(name).toBe('triage');
    expect(stdout).toBe(
      [
        'Built src/svc/index.ts.',
        DATA,
        `Queued "triage", job ${id}.`,
        'Training svc/tiny: 40 steps, 12,288 trainable parameters, 4,000 learned tokens.',
        'step 10/40  loss 2.346  400 tokens/s  ETA 15 s',
        'step 20  checkpoint saved',
        'step 20/40  loss 1.5  eval loss 1.75  400 tokens/s  ETA 10 s',
        '✔ completed  trained for 10.0 s  final loss 1.5  final eval loss 1.75  1 artifact',
        '  final  final adapter, step 40, 1.5 kB',
        '',
        'Next:',
        `  svc chat --job ${id.slice(0, 8)}`,
        `  svc endpoints create SLUG --job ${id.slice(0, 8)}`,
        '',
      ].join('\n'),
    );
  });

  it('says rewards in place of losses where the run learns from them', async () => {
    const [at10, at20] = [
      log({ step: 10, loss: 0.01, reward: 0.25 }),
      log({ step: 20, loss: 0.02, reward: 0.5, evalReward: 0.75 }),
    ];
    jobsHave(started(), at10, at20, completed(), ended());
    const stdout = await print('start');
    expect(stdout).toMatch(/^step 10\/40 {2}reward 0\.25$/m);
    expect(stdout).toMatch(/^step 20\/40 {2}reward 0\.5 {2}held-out reward 0\.75/m);
    expect(stdout).toMatch(
      /^✔ completed .* final reward 0\.5 {2}final held-out reward 0\.75 {2}1 artifact$/m,
    );
    expect(stdout).not.toContain('loss');
    const onScreen = await svc('start', { isTTY: true, columns: 100 });
    expect(onScreen.stdout).toContain('reward 0.25');
    expect(onScreen.stdout).toMatch(/step 20\/40 {2}reward 0\.5 {2}held-out reward 0\.75.*\n/);
  });

  it('ends with the best score and its step where the trainer has chosen a score', async () => {
    const scores = [score(), score({ step: 40, value: 0.25 }), score({ step: 40, name: 'length', value: 3 })];
    jobsHave(...RUN.slice(0, -1), ...scores, ended());
    const { onJob } = project.cloud;
    project.cloud.onJob = job => {
      Object.assign(job.job.config!, { bestBy: { score: 'accuracy' } });
      onJob(job);
    };
    expect(await print('start')).toMatch(
      /completed .*final eval loss 1.75 {2}best accuracy 0.5 at step 20 {2}1 artifact\n(.*\n)+Next:/,
    );
  });

  it("waits for the cloud's storage, and says so", async () => {
    let locks = 1;
    project.cloud.onJob = job => {
      if (locks-- > 0) throw new ApiError('storage_unavailable', 'It is locked. This usually passes.');
      job.events.push(...RUN);
    };
    const { exitCode, stdout } = await svc('start');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /\nData: .*\nWaiting: It is locked\. This usually passes\.\nQueued "triage", job /,
    );
  });

  it('prints the same lines on a terminal as into a pipe, and one progress line in place of steps', async () => {
    jobsHave(preparing({ rows: 90_000, totalRows: null }), preparing(), ...RUN);
    await svc('build');
    const piped = await svc('start');
    const { stdout } = await svc('start', { isTTY: true, columns: 70 });
    expect(piped.stdout).toContain(STEP);
    expect(stdout).toContain(
      '\r\u001b[2K█████░░░░░░░░░░░░░░░░  step 10/40  loss 2.346  ETA 15 s  400 tokens/s\r\u001b[2K',
    );
    expect(stdout).toContain('\r\u001b[2KPreparing rows: 90,000 found so far\r\u001b[2K');
    expect(stdout).toContain('\r\u001b[2KPreparing rows: 120,000 of 663,905\r\u001b[2K');
    expect(toPlain(stdout)).toBe(asLatest(piped.stdout).replace(STEP, ''));
    const { stdout: kept } = await svc('start', { isTTY: true, columns: 70, env: { CI: '1' } });
    expect(kept).toContain(STEP);
  });

  it('prints for the box in Studio, to the byte, what it prints on a terminal of 80 columns', async () => {
    await writeEntry(entryOf({ callbacks: '{ onLog: () => console.log({ answer: 42 }) }' }));
    jobsHave(...RUN);
    await svc('build');
    const boxed = await svc('start', { env: { NO_COLOR: '', SVC_STUDIO_OUTPUT: '1' } });
    const { stdout } = await svc('start', { env: { NO_COLOR: '' }, isTTY: true, columns: 80 });
    expect(asLatest(boxed.stdout)).toBe(stdout);
    expect(stdout.replaceAll('\u001b', '␛')).toMatch(/\r␛\[2K␛\[34m█+␛\[39m/);
    expect(stdout).toContain('answer: \u001b[33m42\u001b[39m');
  });

  it('answers one event object a line for scripts, and nothing else', async () => {
    jobsHave(...RUN);
    const { stdout, ...end } = await svc('start --json');
    const told = expect.stringMatching(/^Built .*\nData: .*\nQueued job \S+\.\n$/);
    expect(end).toEqual({ exitCode: 0, stderr: told });
    expect(jsonLines(stdout)).toEqual(project.cloud.jobs[0]!.events);
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
    expect((await print('start')).match(/^! .*too long|^! .*longer.*/gm)).toEqual([
      '! 14 rows are longer than 512 tokens: 12 truncated, 2 skipped. ' +
        'See train.jsonl row 3 (812 tokens), train.jsonl row 9 (1,600 tokens), …',
    ]);
  });

  it.each<[string, JobEvent[], RegExp]>([
    [
      'the job does',
      [failed(), ended('failed')],
      /✖ failed {2}train\.jsonl, row 3: there is nothing to l.*\n$/,
    ],
    ['the job is cancelled elsewhere', [ended('cancelled')], /◌ cancelled\n$/],
  ])('fails when %s, with its reason', async (_, events, last) => {
    jobsHave(started(), ...events);
    expect(await svc('start')).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(last) });
  });

  it.each([
    ['start', 'stdout'],
    ['start --json', 'stderr'],
  ] as const)('says what a job waits for that does not begin: svc %s, on %s', async (line, output) => {
    const { cloud } = project;
    const first = start(line);
    await until(() => cloud.jobs.length).toBe(1);
    const { job } = cloud.jobs[0]!;
    cloud.emit(job.id, started({ jobId: job.id }));
    job.status = 'running';
    const second = start(line);
    await until(() => second[output]).toContain('Waiting for 1 running job on this cloud.\n');
    for (const { job } of cloud.jobs)
      for (const event of RUN) cloud.emit(job.id, { ...event, jobId: job.id });
    expect((await second.done).exitCode).toBe(0);
    expect((await first.done)[output]).not.toContain('Waiting for');
  });

  it('goes on when the stream is cut, and says so once', async () => {
    jobsHave(...RUN);
    project.cloud.cutsAfter = 3;
    const { exitCode, stdout } = await svc('start');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^! Lost the connection to the cloud: .* Retrying\.\nThe cloud is back\.$/m);
    expect(stdout.match(/step 10\/40|step 20\/40|Lost the connection/g)).toHaveLength(3);
  });
});

it('a run stays with its cloud when the user signs in to another one meanwhile', async () => {
  const path = await writeCredentials(project.home, {}, { current: project.cloud.url });
  project.cloud.onJob = ({ events }) => {
    const { clouds } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ clouds, current: 'http://127.0.0.1:9' }));
    events.push(...RUN);
  };
  expect(await svc('start', { env: { SVC_CLOUD_URL: '' } })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('✔ completed'),
  });
});

describe('the build that is run', () => {
  beforeEach(() => jobsHave(...RUN));

  it('is the one that is there, and says when its sources are newer', async () => {
    await svc('build');
    expect(await print('start')).toMatch(/^Using the latest build \(just now\)\.\nData: .*\nQueued/);
    await writeEntry(entryOf({ name: 'renamed' }));
    const soon = new Date(Date.now() + 60_000);
    await utimes(project.path('src/svc/index.ts'), soon, soon);
    const stdout = await print('start');
    expect(stdout).toContain(
      '! 1 source changed since the last build: src/svc/index.ts. Run "svc build" to use the changes.\n',
    );
    expect(stdout).toContain('Queued "triage"');
    await svc('build');
    expect(await print('start')).toContain('Queued "renamed"');
  });

  it('is a new one when an entry is named', async () => {
    await svc('build');
    await project.write('other.ts', entryOf({ name: 'other' }));
    expect(await print('start other.ts')).toMatch(/^Built other\.ts\.\nData: .*\nQueued "other"/);
    expect(await svc('start nowhere.ts')).toMatchObject(
      failure(1, `There is no nowhere.ts in ${project.cwd}.`),
    );
  });
});

it.each([
  ['onLog', 'running', 'The job is still running. Check it with'],
  ['onCompleted', 'completed', '\nThe job is completed. See it with'],
] as const)(
  'a callback that throws does not take the job with it: %s, while it is %s',
  async (name, status, said) => {
    await writeEntry(entryOf({ callbacks: `{ ${name}() { throw new Error('mine') } }` }));
    project.cloud.onJob = ({ job, events }) => {
      events.push(...RUN.map(event => ({ ...event, jobId: job.id })));
      job.status = status;
    };
    const { exitCode, stderr } = await svc('start');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('A callback threw: mine\n');
    expect(stderr).toContain(`${said} "svc jobs show ${project.cloud.jobs[0]!.job.id}".`);
    expect(stderr.includes('still running')).toBe(status === 'running');
  },
);

describe('being told to stop', () => {
  const terminal = { isTTY: true, columns: 80 };
  const statusOf = () => project.cloud.jobs[0]!.job.status;
  const emit = (...events: JobEvent[]) =>
    events.forEach(event => void project.cloud.emit(project.cloud.jobs[0]!.job.id, event));
  beforeEach(() => jobsHave(started(), log({ step: 10, loss: 2 })));

  async function interrupt() {
    const call = atTerminal('start');
    await call.shown('step 10/40');
    call.signal('SIGINT');
    await call.shown('Cancel the job? Press Ctrl-C again to leave it running. [y/N] ');
    return call;
  }

  /** What stands behind the question, on its line. */
  const behindQuestion = (stdout: string) =>
    stripVTControlCharacters(stdout.split('[y/N] ')[1]!.split('\n')[0]!).trim();

  it('by Ctrl-C asks whether to cancel the job, and does on a yes', async () => {
    const call = await interrupt();
    call.type('y\r');
    expect(await call.done).toMatchObject({ exitCode: 130, stdout: expect.stringMatching(/◌ cancelled\n$/) });
    expect(statusOf()).toBe('cancelled');
  });

  it('goes on when the answer is anything else', async () => {
    const call = await interrupt();
    emit(log({ step: 30, loss: 1, evalLoss: 1 }));
    call.type('\r');
    await call.shown('step 30/40  loss 1  eval loss 1');
    emit(completed(), ended());
    expect((await call.done).exitCode).toBe(0);
  });

  it('by a second Ctrl-C leaves the job running', async () => {
    const call = await interrupt();
    call.type(CTRL_C);
    const { exitCode, stdout } = await call.done;
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/The job is still running\. Follow it with "svc jobs logs \w{8} --follow"/);
    expect(behindQuestion(stdout)).toBe('');
    expect(statusOf()).not.toBe('cancelled');
  });

  it('ends the question when the job ends', async () => {
    const call = await interrupt();
    emit(completed(), ended());
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
    const call = start('start', more);
    await call.shown('Queued');
    call.signal(signal);
    const { exitCode, stdout } = await call.done;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('The job is still running.');
    expect(stdout).not.toContain('[y/N]');
    expect(statusOf()).not.toBe('cancelled');
  });
});
