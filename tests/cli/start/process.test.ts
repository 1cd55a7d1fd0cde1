// svc start as a process: with a project that uses the package as projects do, and with real signals.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { JobEvent } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { openScreen } from '../../terminal/support/screen.js';
import { checkpoint, completed, ended, log, started } from '../support/job-events.js';
import { projectOfEach } from '../support/project.js';
import { buildProgram, type Program } from '../support/run-bin.js';

/** The entry of a project with these callbacks and options; `before` stands before its trainer, `after` behind it. */
const entryWith = ({ callbacks = '', options = '', before = '', after = '' } = {}) => `
import { createService, createTrainer } from 'svc';
${before}
const trainer = createTrainer({
  name: 'triage',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  callbacks: { ${callbacks} },
  ${options}
});
${after}
export const service = createService({ trainer });
`;
const GREET = `onCompleted: async ({ infer }) => {
  const { choices } = await infer({ messages: [{ role: 'user', content: 'Hello' }] });
  console.log(choices[0].message.content);
},`;

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

const project = projectOfEach();
const { jobsHave, writeEntry } = project;
beforeEach(async () => {
  await project.write('data/train.jsonl', '{"text":"a"}\n');
  await writeEntry(entryWith({ callbacks: GREET }));
  const svc = 'node_modules/svc';
  await project.write(`${svc}/package.json`, '{ "name": "svc", "type": "module", "exports": "./index.js" }');
  await project.write(`${svc}/index.js`, `export * from '${program.sdk}';`);
});

const run = (argv: string[], more: object = {}) =>
  program.run(argv, { cwd: project.cwd, env: project.env, ...more });
const start = () => run(['start']);

function startOnScreen() {
  const env = { PATH: process.env.PATH!, LANG: 'C.UTF-8', ...project.env };
  return openScreen({ file: process.execPath, args: program.args(['start']), cwd: project.cwd, env });
}

function expectNothingCancelled(): void {
  expect(project.cloud.calls.filter(call => call.endsWith('/cancel'))).toEqual([]);
}

/** `svc … | head -n 1`, with the exit code of svc. */
async function pipeToHead(redirection: string, ...argv: string[]) {
  const script = `"$0" "$@" ${redirection} | head -n 1; exit "${'$'}{PIPESTATUS[0]}"`;
  const child = spawn('bash', ['-c', script, process.execPath, program.path, ...argv], {
    cwd: project.cwd,
    env: { PATH: process.env.PATH, ...project.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ends = [once(child, 'exit'), text(child.stdout), text(child.stderr)] as const;
  const [[exitCode], stdout, stderr] = await Promise.all(ends);
  return { exitCode: exitCode as number, stdout, stderr };
}

it('makes an identity and a project, trains, calls back, and ends well', async () => {
  const defined = "createTrainer({ name: 'not registered', dataset: { type: 'rows', rows: [] } });";
  await writeEntry(entryWith({ callbacks: GREET, before: defined }));
  jobsHave(started(), log({ step: 40, loss: 1 }), completed(), ended());
  const { exitCode, stdout, stderr } = await start().done;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('step 40/40  loss 1');
  expect(stdout).toContain('1: Hello\n');
  expect(project.cloud.jobs.map(({ job }) => job)).toMatchObject([
    {
      name: 'triage',
      config: { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'data-1' } },
    },
  ]);
});

it.each([
  [
    'in a callback',
    { callbacks: 'onStarted: async () => { await trainer.start(); await trainer.cancel(); }' },
  ],
  [
    'from elsewhere in the module',
    {
      before: 'let begun; const running = new Promise(resolve => { begun = resolve; });',
      callbacks: 'onStarted: () => begun()',
      after: 'running.then(() => trainer.cancel());',
    },
  ],
])('the trainer finds the run that svc start began, and cancels it, %s', async (_, parts) => {
  await writeEntry(entryWith(parts));
  jobsHave(started());
  expect(await start().done).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('cancelled') });
  expect(project.cloud.jobs.map(({ job }) => job.status)).toEqual(['cancelled']);
});

it.each([
  ['each, by their trainer', { callbacks: 'onStarted: () => trainer.cancel()' }, ''],
  [
    'all, by their sweep',
    { callbacks: 'onStarted: () => !canceled && runs.cancel().then(() => { canceled = true; })' },
    'runs',
  ],
  [
    'all, by their sweep, before they are queued',
    { options: `dataset: { type: 'file', path: 'data/train.jsonl', map: row => (runs.cancel(), row) },` },
    'runs',
  ],
])('the runs of a sweep that svc start queues are canceled from its code: %s', async (_, parts, swept) => {
  const before = "import { sweep } from 'svc';\nlet canceled = false;";
  const after = 'const runs = sweep({ seed: [1, 2, 3] }, trainer);';
  const entry = entryWith({ before, after, ...parts });
  await writeEntry(swept ? entry.replace('{ trainer }', `{ trainer: ${swept} }`) : entry);
  jobsHave(started());
  const sweeping = run(swept ? ['start'] : ['start', '--sweep', 'seed=1,2,3']);
  expect(await sweeping.done).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('cancelled') });
  expect(project.cloud.jobs.map(({ job }) => job.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(project.cloud.calls.filter(call => call.endsWith('/cancel'))).toHaveLength(3);
});

const WRITES = `onStarted: () => {
    process.stdout.write('é 🚀 ');
    for (const byte of Buffer.from('🚀')) process.stdout.write(Buffer.from([byte]));
    process.stdout.write('2e', 'hex');
    process.stdout.write(' no end', () => {});
  },
  onLog: () => process.stdout.write('[log]'),`;
const WRITTEN = 'é 🚀 🚀. no end';

it('shows what the project writes to its own stdout on lines of its own, and keeps it from among JSON', async () => {
  await writeEntry(entryWith({ callbacks: WRITES + GREET }));
  jobsHave(started(), log({ step: 40, loss: 1 }), completed(), ended());
  const piped = await start().done;
  expect(piped.stdout).toContain(`\n${WRITTEN}\nstep 40/40  loss 1`);
  expect(piped.stdout).toContain('[log]');
  const screen = startOnScreen();
  await screen.exited;
  expect(screen.text()).toContain(`\n${WRITTEN}[log]1: Hello\n✔ completed`);
  const { stdout, stderr } = await run(['start', '--json']).done;
  for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
  expect(stderr).toContain(`${WRITTEN}[log]`);
});

it('shows one live line on a terminal, below what stays: evaluations, checkpoints, scores and what the project prints', async () => {
  const evals = `evals: { length: async ({ infer, step }) => {
      const { choices } = await infer({ messages: [{ role: 'user', content: 'At ' + step }] });
      return choices[0].message.content.length;
    }, broken: () => { throw new Error('no luck'); } },`;
  const prints = `onLog: ({ step }) => {
      if (step === 3) console.log('logged\\nby the project');
      if (step === 4) process.stdout.write('written ');
      if (step === 5) process.stdout.write('in pieces\\n');
    },`;
  await writeEntry(entryWith({ callbacks: prints + GREET, options: evals }));
  const screen = startOnScreen();
  const lines = () => screen.text().trimEnd().split('\n');
  await until(() => project.cloud.jobs.length).toBe(1);
  const { job } = project.cloud.jobs[0]!;
  const emit = (...events: JobEvent[]) => {
    for (const event of events) project.cloud.emit(job.id, { ...event, jobId: job.id });
  };
  // What it waits for would be told otherwise.
  job.status = 'running';
  emit(started(), log({ step: 1, loss: 3 }), log({ step: 2, loss: 2, evalLoss: 2.5 }));
  emit(log({ step: 3, loss: 1.5 }), log({ step: 4, loss: 1.4 }), log({ step: 5, loss: 1.3 }));
  emit(checkpoint({ step: 5 }));
  await until(lines).toContain('! No score for "broken" at step 5: no luck');
  emit(log({ step: 6, loss: 1.25 }));
  await until(() => lines().at(-1)).toMatch(/step 6\/40 {2}loss 1\.25/);
  const lasting = lines().slice(lines().findIndex(line => line.startsWith('Training ')) + 1, -1);
  expect(lasting).toEqual([
    'step 2/40  loss 2  eval loss 2.5',
    'logged',
    'by the project',
    'written in pieces',
    'step 5  checkpoint saved',
    'step 5  length 7',
    '! No score for "broken" at step 5: no luck',
  ]);
  emit(completed(), ended());
  await screen.exited;
  const end = lines().slice(lines().indexOf(lasting.at(-1)!) + 1);
  // The callback and the evals run side by side.
  const beforeEnd = ['! No score for "broken" at step 40: no luck', '1: Hello', 'step 40  length 8'];
  expect(end.slice(0, 3).sort()).toEqual(beforeEnd);
  expect(end[3]).toMatch(/^✔ completed/);
  expect(job.scores).toEqual([
    { step: 5, name: 'length', value: 7 },
    { step: 40, name: 'length', value: 8 },
  ]);
});

it('listens nowhere, nor does that of svc build', async () => {
  jobsHave(started(), completed(), ended());
  const telling = `import net from 'node:net';
    const { listen } = net.Server.prototype;
    net.Server.prototype.listen = function (...given) { console.error('it listens'); return listen.apply(this, given); };`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(telling)}`;
  for (const command of ['build', 'start'])
    expect(await run([command], { env: { ...project.env, NODE_OPTIONS } }).done).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
});

it("names the project's own lines when its code throws, and what to do about a package that is missing", async () => {
  await writeEntry(`// A line.\nfunction fail(): never {\n  throw new Error('mine');\n}\nfail();\n`);
  const thrown = await start().done;
  expect(thrown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(thrown.stderr).toMatch(
    /^svc: The entry threw: mine\n +at fail \(.*src\/svc\/index\.ts:3:9\)\n +at .*index\.ts:5:1/,
  );
  expect(thrown.stderr).not.toContain('node:internal');
  await writeEntry("import 'no-such-package';\nexport {};\n");
  const { exitCode, stderr } = await start().done;
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Cannot find package 'no-such-package'");
  expect(stderr).toContain('Run "npm install" in the project');
});

it.each(['start', 'build', 'data check'])(
  'says which option is wrong, and where it is, instead of a stack: svc %s',
  async command => {
    await writeEntry(
      entryWith({ options: "method: { type: 'grpo', group: 4, updates: 99, reward: () => 1 }," }),
    );
    expect(await run(command.split(' ')).done).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'svc: src/svc/index.ts:4:17: createTrainer: `method.updates` must be at most 8.\n',
    });
  },
);

it.each([
  ['', /^The output was closed\. The job is still running\. Follow it with "svc jobs logs \w{8} --follow"/],
  ['2>&1', /^$/],
])('leaves the job running when nobody reads any more, which is no success: %s', async (both, said) => {
  jobsHave(started());
  const following = pipeToHead(both, 'start');
  await until(() => project.cloud.jobs).toHaveLength(1);
  const { id } = project.cloud.jobs[0]!.job;
  const drip = setInterval(() => project.cloud.emit(id, log({ step: 10, loss: 2 })), 20);
  const { stderr, ...end } = await following.finally(() => clearInterval(drip));
  expect(end).toEqual({ exitCode: 1, stdout: 'Built src/svc/index.ts.\n' });
  expect(stderr).toMatch(said);
  expect(project.cloud.jobs).toHaveLength(1);
  expectNothingCancelled();
});

it('svc jobs logs --follow is no failure when nobody reads any more', async () => {
  await project.link();
  const { job } = project.addJob({ status: 'running' }, [started()]);
  const following = pipeToHead('', 'jobs', 'logs', job.id, '--follow');
  await until(() => project.cloud.calls.join()).toContain('events/stream');
  const drip = setInterval(() => project.cloud.emit(job.id, log({ step: 10, loss: 2 })), 20);
  expect(await following).toMatchObject({ exitCode: 0, stderr: '' });
  clearInterval(drip);
});

it('tells the Studio that started it which job it follows, and leaves the job when Studio is gone', async () => {
  jobsHave(started());
  const running = run(['start'], { withChannel: true });
  const [message] = await once(running.child, 'message');
  expect(message).toEqual({ type: 'svc.job', jobId: project.cloud.jobs[0]!.job.id });
  running.child.disconnect();
  expect(await running.done).toMatchObject({
    exitCode: 130,
    stdout: expect.stringContaining('The job is still running.'),
  });
  expectNothingCancelled();
});
