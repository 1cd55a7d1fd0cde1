import { beforeEach, describe, expect, it } from 'vitest';
import { restartWaitMs, Supervisor } from '../../../lib/cloud/backends/supervisor.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { type ScriptedProcess, scriptedProcess } from './scripted-process.js';

let started: ScriptedProcess[];
let logged: string[];
let clock: VirtualClock;
let supervisor: Supervisor;
beforeEach(() => {
  clock = createVirtualClock();
  started = [];
  logged = [];
  const start = () => {
    started.push(scriptedProcess());
    return started.at(-1)!;
  };
  supervisor = new Supervisor({ start, log: ({ message }) => logged.push(message), clock });
});

/** Has the newest process do this, and runs what follows from it without advancing time. */
async function newest(act: (process: ScriptedProcess) => void) {
  act(started.at(-1)!);
  await clock.pass(0);
}
const becomeReady = () => newest(process => process.becomeReady());
const die = () => newest(process => process.die());

async function dieOften(times: number) {
  for (let i = 0; i < times; i++) {
    if (i > 0) await clock.pass(restartWaitMs(i));
    await supervisor.acquire();
    await becomeReady();
    await die();
  }
}

describe('a supervised process', () => {
  it('is started on the first request and then reused', async () => {
    expect([started.length, supervisor.state]).toEqual([0, 'starting']);
    const [one, other] = await Promise.all([supervisor.acquire(), supervisor.acquire()]);
    expect(one).toBe(other);
    expect([started.length, supervisor.state]).toEqual([1, 'starting']);
    await becomeReady();
    expect(supervisor.state).toBe('ready');
  });

  it('is restarted immediately after its first death', async () => {
    await dieOften(1);
    expect(started).toHaveLength(2);
    expect(logged).toEqual(['The engine stopped (SIGKILL); restarting.']);
  });

  it('is restarted with increasing delays while it keeps dying', async () => {
    await dieOften(2);
    expect(started).toHaveLength(2);
    const taken = supervisor.acquire();
    await clock.pass(499);
    expect(started).toHaveLength(2);
    await clock.pass(1);
    expect((await taken).serving).toBe(started[2]);
    expect([1, 2, 3, 4, 5, 20].map(restartWaitMs)).toEqual([0, 500, 1000, 2000, 4000, 30_000]);
  });

  it('refuses requests when the delay is too long, and is restarted after it without one', async () => {
    await dieOften(5);
    expect(supervisor.state).toBe('failed');
    await expect(supervisor.acquire()).rejects.toMatchObject({ code: 'engine_unavailable' });
    await clock.pass(restartWaitMs(5) - 1);
    expect(started).toHaveLength(5);
    await clock.pass(1);
    await becomeReady();
    expect([started.length, supervisor.state]).toEqual([6, 'ready']);
  });

  it('restarts without delay again after a successful answer', async () => {
    await dieOften(1);
    supervisor.noteSuccess();
    await becomeReady();
    await die();
    expect(started).toHaveLength(3);
  });

  it('is not restarted automatically if it dies before it is ready', async () => {
    await supervisor.acquire();
    await die();
    expect(started).toHaveLength(1);
    await supervisor.acquire();
    expect(started).toHaveLength(2);
  });

  it('is not waited for after the request is aborted', async () => {
    await dieOften(2);
    const aborter = new AbortController();
    const taken = supervisor.acquire(aborter.signal);
    const reason = new Error('left');
    aborter.abort(reason);
    await expect(taken).rejects.toBe(reason);
    expect([started.length, clock.waiting]).toEqual([2, 1]);
  });
});

describe('a model that cannot be opened', () => {
  it('is logged once, refuses requests immediately, and is retried later', async () => {
    for (let i = 0; i < 2; i++) {
      const life = await supervisor.acquire();
      await newest(process => process.refuse('/model/config.json is missing.'));
      expect(life.fault).toMatchObject({ code: 'engine_unavailable' });
      expect(life.fault!.message).not.toContain('/model');
      await expect(supervisor.acquire()).rejects.toBe(life.fault);
      expect([started.length, supervisor.state]).toEqual([i + 1, 'failed']);
      await clock.pass(30_000);
    }
    expect(logged).toEqual(['The model cannot be opened: /model/config.json is missing.']);
    await supervisor.acquire();
    await newest(process => process.refuse('/model/tokenizer.json is missing.'));
    expect(logged).toHaveLength(2);
  });

  it('tells those who ask that the disk is full', async () => {
    const life = await supervisor.acquire();
    await newest(process => process.refuse('ENOSPC: no space left on device, write'));
    expect(life.fault!.message).toBe(
      "The model of this cloud cannot be opened. The cloud's disk is full. Free some space, for example with `svc cloud gc`.",
    );
  });

  it('becomes ready again once it opens, even without requests', async () => {
    await supervisor.acquire();
    await newest(process => process.refuse('broken'));
    await clock.pass(29_999);
    expect(started).toHaveLength(1);
    await clock.pass(1);
    await becomeReady();
    expect(supervisor.state).toBe('ready');
  });
});

describe('a closed supervisor', () => {
  it('ends its process without logging a death, and starts no new one', async () => {
    await supervisor.acquire();
    await becomeReady();
    await supervisor.close();
    await clock.pass(0);
    expect(started[0]!.closed).toBe(true);
    expect(logged).toEqual([]);
    await expect(supervisor.acquire()).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(started).toHaveLength(1);
  });

  it('refuses at once who waits for the next start', async () => {
    await dieOften(2);
    const taken = supervisor.acquire();
    await supervisor.close();
    await expect(taken).rejects.toThrow('shut down');
    await clock.pass(60 * 60_000);
    expect(started).toHaveLength(2);
  });
});
