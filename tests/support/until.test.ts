// What a wait does until something happens, and what it says of something that never does.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createScriptedRunner } from '../cloud/jobs/scripted-runner.js';
import { openTestJobs } from '../cloud/jobs/test-jobs.js';
import { createWorkMeter, tellsChildren } from './child-processes.js';
import { inTime, untilFound, vitest, waitClock } from './in-time.js';
import { PATIENCE_MS, PATIENCE_TIMES, TEST_TIMEOUT_MS } from './patience.js';
import { startSilentServer } from './silent-server.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';
import { untilFile } from './until-file.js';
import { untilGone } from './until-gone.js';
import { createVirtualClock } from './virtual-clock.js';
import { type Wait, wait } from './wait.js';

const at: Wait['at'] = () => ({
  place: 'tests/a.test.ts:7',
  source: "await until(status).toBe('completed');",
  frames: '    at /a.test.ts:7:9',
});

/** A wait whose time passes only in the test, and what it says in the end. */
function begin(attempt: () => Promise<unknown>, how: Omit<Wait, 'at'> = {}) {
  const clock = createVirtualClock();
  let outcome: unknown = 'waits';
  wait(attempt, { at, ...how }, clock).then(
    value => {
      outcome = value;
    },
    (error: Error) => {
      outcome = error.message;
    },
  );
  return { clock, outcome: () => outcome };
}

/** As in a test that is nearly over, so that nobody has to wait for what never comes. */
function letTimeBeUp(): void {
  const endsAt = vi.spyOn(vitest, 'testEndsAt').mockImplementation(waitClock.elapsed);
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => {
    endsAt.mockRestore();
    printed.mockRestore();
  });
}

const fails = (message: string) => () => Promise.reject(new Error(message));

describe('a wait for what never happens', () => {
  it('ends with the patience of tests, and says what it waited for, where, and what came instead', async () => {
    const { clock, outcome } = begin(fails("expected 'running' to be 'completed'"));
    await clock.pass(PATIENCE_MS - 1);
    expect(outcome()).toBe('waits');
    await clock.pass(1);
    expect(outcome()).toBe(`Waited ${PATIENCE_MS / 1000} s at tests/a.test.ts:7 for
  await until(status).toBe('completed');
Instead: expected 'running' to be 'completed'`);
    expect(clock.waiting).toBe(0);
  });

  it('says what was known besides, and the last progress', async () => {
    const { clock, outcome } = begin(fails('no'), {
      progress: () => ({ step: 3 }),
      beside: async () => 'one line\nanother',
    });
    await clock.pass(PATIENCE_MS);
    expect(outcome()).toMatch(
      /\nInstead: no\nProgress: \{ step: 3 \}\nBeside it: \n {2}one line\n {2}another$/,
    );
  });

  it('fails for its own reason where what is told besides cannot be read', async () => {
    const { clock, outcome } = begin(fails('no'), { beside: fails('closed') });
    await clock.pass(PATIENCE_MS);
    expect(outcome()).toMatch(/Instead: no\nBeside it: could not be read: closed$/);
  });

  it('ends also where what is told besides does not answer', async () => {
    const silence = () => new Promise(() => {});
    const { clock, outcome } = begin(fails('no'), { progress: silence, beside: silence });
    await clock.pass(2 * PATIENCE_MS);
    expect(outcome()).toMatch(/Instead: no\nProgress: no answer\nBeside it: no answer$/);
  });

  it('ends where it gets no answer, and asks no second time before it has one', async () => {
    let asked = 0;
    const { clock, outcome } = begin(() => {
      asked++;
      return asked < 3 ? fails('not yet')() : new Promise(() => {});
    });
    await clock.pass(PATIENCE_MS);
    expect(outcome()).toMatch(/for\n.*\nThere was no answer\.\nBefore that: not yet$/);
    expect(asked).toBe(3);
  });

  it('goes on as long as something happens, and ends its patience after the last of it', async () => {
    let step = 0;
    const { clock, outcome } = begin(fails('no'), { progress: () => step });
    for (step = 1; step <= 5; step++) await clock.pass(PATIENCE_MS - 5000);
    await clock.pass(PATIENCE_MS - 1000);
    expect(outcome()).toBe('waits');
    await clock.pass(2000);
    const [, waited] = /^Waited ([\d.]+) s /.exec(String(outcome()))!;
    const lastAt = 5 * (PATIENCE_MS - 5000);
    expect(Number(waited) * 1000).toBeGreaterThanOrEqual(lastAt + PATIENCE_MS - 1000);
    expect(Number(waited) * 1000).toBeLessThanOrEqual(lastAt + PATIENCE_MS + 1000);
  });

  it('goes on as long as processes are at work that may bring it about', async () => {
    let isAtWork = true;
    const { clock, outcome } = begin(fails('no'), { isAtWork: () => isAtWork });
    await clock.pass(3 * PATIENCE_MS);
    expect(outcome()).toBe('waits');
    isAtWork = false;
    await clock.pass(PATIENCE_MS - 2000);
    expect(outcome()).toBe('waits');
    await clock.pass(3000);
    expect(outcome()).toMatch(/^Waited [\d.]+ s /);
  });

  it.runIf(tellsChildren)(
    'knows whether a process is at work, and those that it has started, and those that they have',
    async () => {
      const start = (code: string) => {
        const starts = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}])`;
        const { pid } = spawn(process.execPath, ['-e', `${starts}; setInterval(() => {}, 1000)`], {
          detached: true,
        });
        onTestFinished(() => void process.kill(-pid!, 'SIGKILL'));
        return createWorkMeter(pid);
      };
      const idle = start('setInterval(() => {}, 1000)');
      const busy = start('for (;;);');
      await until(idle.isAtWork).toBe(false);
      await until(busy.isAtWork).toBe(true);
    },
  );

  it('knows that Vitest compiles a module for it', async () => {
    const path = join(temporaryFolder('svc-until'), 'module.ts');
    await writeFile(path, 'export const here: boolean = true;');
    let isLoaded = false;
    const loaded = import(path).finally(() => {
      isLoaded = true;
    });
    let wasCompiled = false;
    while (!isLoaded) {
      wasCompiled ||= vitest.isCompiling();
      await setImmediate();
    }
    expect(await loaded).toMatchObject({ here: true });
    expect(wasCompiled).toBe(true);
    expect(vitest.isCompiling()).toBe(false);
  });

  it('ends before its test does, so that the test says what it waited for', async () => {
    const { clock, outcome } = begin(fails('no'), { testEndsAt: 5000 });
    await clock.pass(4499);
    expect(outcome()).toBe('waits');
    await clock.pass(1);
    expect(outcome()).toMatch(/^Waited 4\.5 s, the last of its test, at /);
  });
});

describe('a wait for what happens', () => {
  it('returns it, sees it soon, and looks less often the longer it takes', async () => {
    let looks = 0;
    let answer = fails('no') as () => Promise<unknown>;
    const { clock, outcome } = begin(() => {
      looks++;
      return answer();
    });
    await clock.pass(8);
    expect(looks).toBeGreaterThan(5);
    await clock.pass(992);
    expect(looks).toBeLessThan(60);
    answer = async () => 'it';
    await clock.pass(50);
    expect(outcome()).toBe('it');
    expect(clock.waiting).toBe(0);
  });

  it('looks when it is told to, also of what happened while it looked, and then no more', async () => {
    let value = 'none';
    let looks = 0;
    let tell = () => {};
    let listeners = 0;
    const { clock, outcome } = begin(
      async () => {
        looks++;
        const found = value;
        if (looks === 1) {
          value = 'one';
          tell();
        }
        if (found === 'two') return found;
        throw new Error(found);
      },
      {
        on(look) {
          tell = look;
          listeners++;
          return () => void listeners--;
        },
      },
    );
    await clock.pass(0);
    expect([looks, listeners]).toEqual([2, 1]);
    await clock.pass(900);
    expect(looks).toBe(2);
    value = 'two';
    tell();
    await clock.pass(0);
    expect([outcome(), looks, listeners]).toEqual(['two', 3, 0]);
  });
});

describe('until', () => {
  it('takes what expect takes, in both senses, and compares what it reads', async () => {
    let count = 0;
    await until(() => ++count).toBe(4);
    expect(count).toBe(4);
    await until(async () => ++count).not.toBeLessThan(7);
    await until(() => ({ count: ++count, other: 1 })).toMatchObject({ count: 10 });
    await until(() => {
      if (++count < 13) throw new Error('not yet');
      return ['a', 'b'];
    }).toEqual(['a', expect.any(String)]);
    expect(count).toBe(13);
  });

  it('fails a test whose time is nearly over with the line that it is in', async () => {
    letTimeBeUp();
    const failure = await until(() => 'running')
      .toBe('completed')
      .then(
        () => 'none',
        (error: Error) => error,
      );
    expect(failure).toMatchObject({ actual: 'running', expected: 'completed' });
    const { message, stack } = failure as unknown as Error;
    expect(console.error).toHaveBeenCalledWith(message);
    expect(message).toMatch(
      /^Waited \S+ s, the last of its test, at tests\/support\/until\.test\.ts:\d+ for\n {2}const failure = await until\(\(\) => 'running'\)\n/,
    );
    expect(message).toMatch(/\nInstead: expected 'running' to be 'completed'/);
    expect(stack!.split('\n').find(line => line.startsWith('    at '))).toContain('until.test.ts');
  });
});

describe('what a planted hang is told as', () => {
  const messageOf = (waited: Promise<unknown>) =>
    waited.then(
      () => 'it came',
      (error: Error) => error.message,
    );

  it('a job that never ends: its last events', async () => {
    const runner = createScriptedRunner();
    const cloud = await openTestJobs(runner);
    onTestFinished(() => cloud.close());
    await cloud.jobs.start();
    const datasetId = await cloud.upload('{"text":"a"}\n');
    const { id } = await cloud.create({ datasetSource: { type: 'upload', datasetId } });
    const run = await runner.next();
    run.started();
    run.log(3);
    await cloud.untilStep(id, 3);
    letTimeBeUp();
    expect(await messageOf(cloud.until(id, 'completed'))).toMatch(
      /Instead: expected 'running' to be 'completed'[\s\S]*Beside it: \[[\s\S]*'training\.started'[\s\S]*'training\.log',[\s\S]* step: 3,/,
    );
  });

  it('a run that never begins: how many did', async () => {
    letTimeBeUp();
    expect(await messageOf(createScriptedRunner().next())).toMatch(
      /for\n {2}expect\(await messageOf\(createScriptedRunner.*\n[\s\S]*There was no answer\.\nBeside it: \n {2}0 runs have started$/,
    );
  });

  it('a process that never exits: its id and command', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    letTimeBeUp();
    const message = await messageOf(untilGone(child.pid!));
    expect(message).toContain('for\n  const message = await messageOf(untilGone(child.pid!));\n');
    expect(message).toMatch(new RegExp(`Beside it: \n {2}process ${child.pid}: .* -e setInterval`));
  });

  it('a server that never answers: that there was no answer, and what it was sent', async () => {
    const requests: string[] = [];
    const server = await startSilentServer((_, bytes) => void requests.push(bytes.split('\r\n')[0]!));
    onTestFinished(() => server.close());
    const answer = fetch(`${server.url}/health`).then(({ status }) => status);
    answer.catch(() => {});
    await until(() => requests).toHaveLength(1);
    letTimeBeUp();
    expect(await messageOf(inTime(answer, { beside: () => requests }))).toMatch(
      /There was no answer\.\nBeside it: \[ 'GET \/health HTTP\/1\.1' \]$/,
    );
  });

  it('a file that never appears: what its folder has instead', async () => {
    const folder = temporaryFolder('svc-until');
    const coming = untilFile(join(folder, 'told'));
    await writeFile(join(folder, 'told'), 'text');
    expect(await coming).toBe('text');
    letTimeBeUp();
    expect(await messageOf(untilFile(join(folder, 'other')))).toContain(`Beside it: \n  in ${folder}: told`);
  });
});

it('a promise that is rejected fails its wait at once, with its own error', async () => {
  await expect(inTime(Promise.reject(new TypeError('mine')))).rejects.toThrow(new TypeError('mine'));
});

it('what is found is returned', async () => {
  let looks = 0;
  expect(await untilFound(() => (++looks > 3 ? 'it' : null))).toBe('it');
});

it('a whole test has more time than one wait, and less than a person waits', () => {
  expect(TEST_TIMEOUT_MS).toBeGreaterThan(PATIENCE_MS);
  expect(TEST_TIMEOUT_MS / PATIENCE_TIMES).toBeLessThanOrEqual(20_000);
});
