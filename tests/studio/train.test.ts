// A run started from Studio: its output, its status and its end.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TrainStatus } from '../../lib/contract/index.js';
import { isAlive } from '../../lib/sdk/processes.js';
import { type StartTrain, spawnTrain } from '../../lib/studio/train/train-child.js';
import { JOB_ID } from '../support/samples.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openStudio, refusalOf, type TestStudio } from './open-studio.js';

let test: TestStudio;
let clock: ReturnType<typeof createVirtualClock>;
let children: number;
let told: TrainStatus[];

/** Runs these programs instead of `svc start`, in real processes. */
async function open(...programs: string[]): Promise<void> {
  children = 0;
  told = [];
  clock = createVirtualClock();
  const startTrain: StartTrain = hooks => {
    const program = programs[Math.min(children++, programs.length - 1)]!;
    return spawnTrain(['-e', program], { cwd: test.folder, env: process.env, clock }, hooks);
  };
  test = await openStudio({}, { startTrain, onTrain: status => void told.push(status) });
}

const start = () => test.call('/api/train', { method: 'POST' });
const output = () => test.call('/api/train/output');
const status = async () => (await test.json('GET', '/api/train')).body as TrainStatus;
const NOT_YET = { running: false, startedAt: null, jobId: null, exitCode: null };

/** Waits until the program has written a file, and reads it. */
async function file(name: string): Promise<string> {
  const read = () => readFile(join(test.folder, name), 'utf8').catch(() => '');
  await until(read).not.toBe('');
  return read();
}

/** Code that runs until the test writes this file. */
const UNTIL = (name: string) =>
  `const fs = require('fs'); const timer = setInterval(() => fs.existsSync('${name}') && clearInterval(timer), 20);`;

/** A program that says its process id in a file, and goes on until it is killed. */
const ENDLESS = `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`;

function textReader(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    reader,
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The output ended with ${JSON.stringify(text)}`);
        text += value;
      }
      return text;
    },
  };
}

describe('POST /api/train', () => {
  it("streams the child's stdout and stderr as raw text, in order", async () => {
    await open(`
      console.log('out 1'); console.error('err 1'); console.log('out 2'); console.error('err 2');
      const emoji = Buffer.from('🙂é');
      process.stdout.write(emoji.subarray(0, 2));
      setTimeout(() => process.stdout.write(emoji.subarray(2)), 50);
      setTimeout(() => process.stderr.write('\\x1b[31mred\\x1b[0m\\r\\nno newline'), 100);`);
    const response = await start();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('out 1\nerr 1\nout 2\nerr 2\n🙂é\x1b[31mred\x1b[0m\r\nno newline');
  });

  it('streams while the child runs, and has a status: running, start time, job and exit code', async () => {
    await open(
      `process.send({ type: 'other', jobId: 'no' }); process.send('x');
       process.send({ type: 'svc.job', jobId: '${JOB_ID}' }, () => console.log('told'));
       ${UNTIL('go')} process.exitCode = 3;`,
    );
    expect(await status()).toEqual(NOT_YET);
    expect(await (await output()).text()).toBe('');
    const { until, reader } = textReader(await start());
    expect(await until('told\n')).toBe('told\n');
    const startedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await status()).toEqual({ running: true, startedAt, jobId: JOB_ID, exitCode: null });
    await test.write('project/go', '1');
    expect((await reader.read()).done).toBe(true);
    expect(await status()).toMatchObject({ running: false, jobId: JOB_ID, exitCode: 3 });
    const changes = told.map(({ running, exitCode }) => [running, exitCode]).join();
    expect(changes).toBe('true,,false,3');
  });

  it('answers 409 while a run is in progress, even to concurrent requests, then allows the next', async () => {
    await open(`console.log('one'); ${UNTIL('go')}`, `console.log('two')`);
    const both = await Promise.all([start(), start()]);
    const [kept, refused] = both[0].status === 200 ? both : both.reverse();
    expect(await refusalOf(refused!)).toMatchObject({ status: 409, code: 'train_in_flight' });
    expect((await start()).status).toBe(409);
    expect(children).toBe(1);
    await test.write('project/go', '1');
    expect(await kept!.text()).toBe('one\n');
    expect(await (await start()).text()).toBe('two\n');
    expect(await (await output()).text()).toBe('two\n');
  });

  it('keeps the child running when the client disconnects, and its output from the start', async () => {
    await open(`console.log('before'); ${UNTIL('go')} process.on('exit', () => console.log('after'));`);
    const { until, reader } = textReader(await start());
    await until('before');
    await reader.cancel();
    const second = textReader(await output());
    expect(await second.until('before')).toBe('before\n');
    await test.write('project/go', '1');
    expect(await second.until('after')).toBe('before\nafter\n');
    expect(await (await output()).text()).toBe('before\nafter\n');
    expect(await status()).toMatchObject({ running: false, exitCode: 0 });
  });

  it('does not wait for detached processes that keep the output open', async () => {
    await open(`const { spawn } = require('child_process');
      const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true });
      left.unref(); require('fs').writeFileSync('pid', String(left.pid)); process.disconnect();`);
    const whole = (await start()).text();
    // What the child itself said last may still be on its way.
    await until(() => clock.nextMs).toBe(1000);
    await clock.pass(999);
    expect(await status()).toMatchObject({ running: true });
    await clock.pass(1);
    expect(await whole).toBe('');
    process.kill(Number(await file('pid')), 'SIGKILL');
  });

  it('answers 500 when the child cannot start, and can be retried', async () => {
    let fails = true;
    const startTrain: StartTrain = hooks => {
      const cwd = fails ? '/nowhere' : test.folder;
      return spawnTrain(['-e', 'console.log(1)'], { cwd, env: process.env }, hooks);
    };
    test = await openStudio({}, { startTrain });
    expect(await refusalOf(await start())).toMatchObject({ status: 500, code: 'internal_error' });
    expect(test.logged).toHaveLength(1);
    expect(await status()).toEqual(NOT_YET);
    fails = false;
    expect(await (await start()).text()).toBe('1\n');
  });
});

describe('the end of a run', () => {
  it('comes with that of Studio, also for its child processes', async () => {
    await open(`const { spawn } = require('child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('fs').writeFileSync('pids', process.pid + ' ' + child.pid);
      setInterval(() => {}, 1000);`);
    const response = await start();
    const pids = (await file('pids')).split(' ').map(Number);
    await test.studio.close();
    expect(await response.text()).toBe('');
    for (const pid of pids) await untilGone(pid);
    expect(await status()).toMatchObject({ running: false, exitCode: 143 });
  });

  it('is forced three seconds after that if the child ignores SIGTERM', async () => {
    await open(`process.on('SIGTERM', () => console.log('no')); ${ENDLESS}`);
    const response = await start();
    const pid = Number(await file('pid'));
    const { until: read, reader } = textReader(response);
    const closed = test.studio.close();
    await read('no\n');
    await clock.pass(2999);
    expect([isAlive(pid), clock.nextMs]).toEqual([true, 1]);
    await clock.pass(1);
    await closed;
    expect((await reader.read()).done).toBe(true);
    await untilGone(pid);
    expect(await status()).toMatchObject({ exitCode: 137 });
  });

  it.each([
    ['killed, while Studio keeps running', (pid: number) => process.kill(pid, 'SIGKILL'), 137],
    ['abandoned', () => test.studio.abandon(), null],
  ])('ends the response when the child is %s', async (_, end, exitCode) => {
    await open(ENDLESS);
    const response = await start();
    const pid = Number(await file('pid'));
    end(pid);
    expect(await response.text()).toBe('');
    await untilGone(pid);
    if (exitCode !== null) expect(await status()).toMatchObject({ running: false, exitCode });
  });
});
