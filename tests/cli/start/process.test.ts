// svc start as a process: with a project that uses the package as projects do, and with real signals.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobEvent } from '../../../lib/contract/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { until } from '../../support/until.js';
import { openScreen } from '../../terminal/support/screen.js';
import { checkpoint, completed, ended, log, started } from '../support/job-events.js';
import { buildProgram, type Program } from '../support/run-bin.js';

const ENTRY = `import { createService, createTrainer } from 'svc';

createTrainer({ name: 'defined, but not registered', dataset: { type: 'rows', rows: [] } });
const trainer = createTrainer({
  name: 'triage',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  callbacks: {
    onCompleted: async ({ infer }) => {
      const { choices } = await infer({ messages: [{ role: 'user', content: 'Hello' }] });
      console.log(choices[0].message.content);
    },
  },
});

export const service = createService({ trainer });
`;

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.write('data/train.jsonl', '{"text":"a"}\n');
  await project.write('src/svc/index.ts', ENTRY);
  await project.write(
    'node_modules/svc/package.json',
    '{ "name": "svc", "type": "module", "exports": "./index.js" }',
  );
  await project.write('node_modules/svc/index.js', `export * from '${program.sdk}';`);
});
afterEach(() => project.close());

const start = ({ withChannel = false } = {}) =>
  program.run(['start'], { cwd: project.cwd, env: project.env, withChannel });

/** `svc … | head -n 1`, with the exit code of svc. */
async function pipeToHead(redirection: string, ...argv: string[]) {
  const script = `"$0" "$@" ${redirection} | head -n 1; exit "${'$'}{PIPESTATUS[0]}"`;
  const child = spawn('bash', ['-c', script, process.execPath, program.path, ...argv], {
    cwd: project.cwd,
    env: { PATH: process.env.PATH, ...project.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[exitCode], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode: exitCode as number, stdout, stderr };
}

describe('the process of svc start', () => {
  it('makes an identity and a project, trains, calls back, and ends well', async () => {
    cloud.onJob = ({ events }) => events.push(started(), log({ step: 40, loss: 1 }), completed(), ended());
    const { exitCode, stdout, stderr } = await start().done;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('step 40/40  loss 1');
    expect(stdout).toContain('1: Hello\n');
    expect(cloud.jobs.map(({ job }) => job.name)).toEqual(['triage']);
    expect(cloud.jobs[0]!.job.config).toMatchObject({
      model: 'svc/tiny',
      datasetSource: { type: 'upload', datasetId: 'data-1' },
    });
  });

  it.each([
    ['in a callback', `onStarted: () => trainer.cancel()`, ''],
    ['from elsewhere in the module', `onStarted: () => begun()`, 'running.then(() => trainer.cancel());'],
  ])('trainer.cancel() %s cancels the run that svc start began', async (_, callback, more) => {
    await project.write(
      'src/svc/index.ts',
      `import { createService, createTrainer } from 'svc';
      let begun;
      const running = new Promise(resolve => { begun = resolve; });
      const trainer = createTrainer({
        name: 'triage',
        dataset: { type: 'file', path: 'data/train.jsonl' },
        callbacks: { ${callback} },
      });
      ${more}
      export const service = createService({ trainer });`,
    );
    cloud.onJob = ({ events }) => events.push(started());
    const { exitCode, stdout } = await start().done;
    expect(cloud.jobs.map(({ job }) => job.status)).toEqual(['cancelled']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('cancelled');
  });

  it('trainer.start() finds the run that svc start began, and begins no other', async () => {
    const again = 'callbacks: { onStarted: async () => void (await trainer.start()),';
    await project.write('src/svc/index.ts', ENTRY.replace('callbacks: {', again));
    cloud.onJob = ({ events }) => events.push(started(), completed(), ended());
    const { stdout } = await start().done;
    expect(stdout).toContain('completed');
    expect(cloud.jobs).toHaveLength(1);
  });

  const WRITES = `onStarted: () => {
      process.stdout.write('é 🚀 ');
      for (const byte of Buffer.from('🚀')) process.stdout.write(Buffer.from([byte]));
      process.stdout.write('2e', 'hex');
      process.stdout.write(' no end', () => {});
    },
    onLog: () => process.stdout.write('[log]'),`;
  const WRITTEN = 'é 🚀 🚀. no end';

  it('shows what the project writes to its own stdout, and begins a line of its own after it', async () => {
    await project.write('src/svc/index.ts', ENTRY.replace('callbacks: {', `callbacks: { ${WRITES}`));
    cloud.onJob = ({ events }) => events.push(started(), log({ step: 40, loss: 1 }), completed(), ended());
    const piped = await start().done;
    expect(piped.stdout).toContain(`\n${WRITTEN}\nstep 40/40  loss 1`);
    expect(piped.stdout).toContain('[log]');
    const screen = openScreen({
      file: process.execPath,
      args: program.args(['start']),
      cwd: project.cwd,
      env: { PATH: process.env.PATH!, LANG: 'C.UTF-8', ...project.env },
    });
    await screen.exited;
    expect(screen.text()).toContain(`\n${WRITTEN}[log]1: Hello\n✔ completed`);
  });

  it('shows one live line on a terminal, below what stays: evaluations, checkpoints, scores and what the project prints', async () => {
    const more = `evals: { length: async ({ infer, step }) => {
        const { choices } = await infer({ messages: [{ role: 'user', content: 'At ' + step }] });
        return choices[0].message.content.length;
      }, broken: () => { throw new Error('no luck'); } },
      callbacks: { onLog: ({ step }) => {
        if (step === 3) console.log('logged\\nby the project');
        if (step === 4) process.stdout.write('written ');
        if (step === 5) process.stdout.write('in pieces\\n');
      },`;
    await project.write('src/svc/index.ts', ENTRY.replace('callbacks: {', more));
    const screen = openScreen({
      file: process.execPath,
      args: program.args(['start']),
      cwd: project.cwd,
      env: { PATH: process.env.PATH!, LANG: 'C.UTF-8', ...project.env },
    });
    const lines = () => screen.text().trimEnd().split('\n');
    await until(() => cloud.jobs.length).toBe(1);
    const { id } = cloud.jobs[0]!.job;
    const emit = (...events: JobEvent[]) => {
      for (const event of events) cloud.emit(id, { ...event, jobId: id });
    };
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
    expect(end.slice(0, 3).sort()).toEqual([
      '! No score for "broken" at step 40: no luck',
      '1: Hello',
      'step 40  length 8',
    ]);
    expect(end[3]).toMatch(/^✔ completed/);
    expect(cloud.jobs[0]!.job.scores).toEqual([
      { step: 5, name: 'length', value: 7 },
      { step: 40, name: 'length', value: 8 },
    ]);
  });

  it('keeps what the project writes to its own stdout from among the JSON', async () => {
    await project.write('src/svc/index.ts', ENTRY.replace('callbacks: {', `callbacks: { ${WRITES}`));
    cloud.onJob = ({ events }) => events.push(started(), log({ step: 40, loss: 1 }), completed(), ended());
    const { stdout, stderr } = await program.run(['start', '--json'], { cwd: project.cwd, env: project.env })
      .done;
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
    expect(stderr).toContain(`${WRITTEN}[log]`);
  });

  it('listens nowhere, nor does that of svc build', async () => {
    cloud.onJob = ({ events }) => events.push(started(), completed(), ended());
    const telling = `import net from 'node:net';
      const { listen } = net.Server.prototype;
      net.Server.prototype.listen = function (...given) { console.error('it listens'); return listen.apply(this, given); };`;
    const env = {
      ...project.env,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(telling)}`,
    };
    for (const command of ['build', 'start'])
      expect(await program.run([command], { cwd: project.cwd, env }).done).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
  });

  it("names the project's own lines when its code throws", async () => {
    await project.write(
      'src/svc/index.ts',
      `// A line.\nfunction fail(): never {\n  throw new Error('mine');\n}\nfail();\n`,
    );
    const { exitCode, stdout, stderr } = await start().done;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^svc: The entry threw: mine\n +at fail \(.*src\/svc\/index\.ts:3:9\)\n +at .*index\.ts:5:1/,
    );
    expect(stderr).not.toContain('node:internal');
  });

  it('says what to do about a package that is not installed', async () => {
    await project.write('src/svc/index.ts', "import 'no-such-package';\nexport {};\n");
    const { exitCode, stderr } = await start().done;
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Cannot find package 'no-such-package'");
    expect(stderr).toContain('Run "npm install" in the project');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'leaves the job running at %s, and says how to find it',
    async signal => {
      cloud.onJob = ({ events }) => events.push(started());
      const run = start();
      await run.shown('Training svc/tiny');
      run.child.kill(signal);
      const { exitCode, stdout } = await run.done;
      expect(exitCode).toBe(130);
      expect(stdout).toContain('The job is still running. Follow it with "svc jobs logs ');
      expect(cloud.calls.filter(call => call.endsWith('/cancel'))).toEqual([]);
    },
  );

  it.each(['', '2>&1'])(
    'leaves the job running when nobody reads any more, which is no success: %s',
    async both => {
      cloud.onJob = ({ events }) => events.push(started(), log({ step: 10, loss: 2 }));
      const { exitCode, stdout, stderr } = await pipeToHead(both, 'start');
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'Built src/svc/index.ts.\n' });
      expect(stderr).toMatch(
        both
          ? /^$/
          : /^The output was closed\. The job is still running\. Follow it with "svc jobs logs \w{8} --follow"/,
      );
      expect(cloud.jobs).toHaveLength(1);
      expect(cloud.calls.filter(call => call.endsWith('/cancel'))).toEqual([]);
    },
  );

  it('of which the events are followed is no failure when nobody reads any more', async () => {
    cloud.onJob = ({ events }) => events.push(started());
    await pipeToHead('', 'start');
    const [{ job } = { job: { id: '' } }] = cloud.jobs;
    const following = pipeToHead('', 'jobs', 'logs', job.id, '--follow');
    await until(() => cloud.calls.join()).toContain('events/stream');
    const drip = setInterval(() => cloud.emit(job.id, log({ step: 10, loss: 2 })), 20);
    expect(await following).toMatchObject({ exitCode: 0, stderr: '' });
    clearInterval(drip);
    cloud.emit(job.id, ended('cancelled'));
  });

  it('tells the Studio that started it which job it follows, and leaves the job when Studio is gone', async () => {
    cloud.onJob = ({ events }) => events.push(started());
    const run = start({ withChannel: true });
    const [message] = await once(run.child, 'message');
    expect(message).toEqual({ type: 'svc.job', jobId: cloud.jobs[0]!.job.id });
    run.child.disconnect();
    expect(await run.done).toMatchObject({
      exitCode: 130,
      stdout: expect.stringContaining('The job is still running.'),
    });
    expect(cloud.calls.filter(call => call.endsWith('/cancel'))).toEqual([]);
  });
});
