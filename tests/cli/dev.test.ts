// svc dev: in this process where a signal can be played, and as a real one where only that can show how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { type ListenOptions, Server } from 'node:net';
import { delimiter, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Signal } from '../../cli/command.js';
import { openBrowser } from '../../cli/commands/terminal/open-browser.js';
import type { StudioFile } from '../../lib/contract/index.js';
import { isAlive } from '../../lib/sdk/processes.js';
import { findSvc } from '../../lib/system/index.js';
import { untilFound } from '../support/in-time.js';
import { JOB_ID, sampleAnonymous, sampleJob } from '../support/samples.js';
import { socketsOf, tellsSockets } from '../support/sockets.js';
import { until } from '../support/until.js';
import { untilFile } from '../support/until-file.js';
import { untilGone } from '../support/until-gone.js';
import { writeCredentials } from '../support/write-credentials.js';
import { failure, projectOfEach } from './support/project.js';
import type { TerminalOptions } from './support/terminal.js';

const SDK = JSON.stringify(new URL('../../lib/sdk/service.ts', import.meta.url).pathname);
/** A run that does not end by itself, and says which process follows it. */
const ENTRY = `import { writeFileSync } from 'node:fs';
import { createService } from ${SDK};
writeFileSync('start.pid', String(process.pid));
const options = { name: 'endless', dataset: { type: 'huggingface', name: 'a/b' } };
export const service = createService({ trainer: { name: 'endless', options, start() {} } });
`;

const job = sampleJob({ name: 'endless', status: 'queued', config: {} });
const project = projectOfEach({
  entry: ENTRY,
  routes: {
    createJob: () => ({ job }),
    cancelJob: () => ({ job }),
    streamJobEvents() {
      const start = (stream: ReadableStreamDefaultController) =>
        stream.enqueue(new TextEncoder().encode(': \n\n'));
      return new Response(new ReadableStream({ start }), {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  },
});
const { svc } = project;

const exists = (path: string) => existsSync(project.path(path));
/** Null while it is not there, or not whole. */
function readStudio(): StudioFile | null {
  try {
    return JSON.parse(readFileSync(project.path('.svc/studio.json'), 'utf8')) as StudioFile;
  } catch {
    return null;
  }
}
const callStudio = ({ url, token }: StudioFile, path: string, method = 'GET') =>
  fetch(url + path, { method, headers: { 'x-svc-studio-token': token } });

/**
 * As if another program had this port, whatever really runs on this machine: the ten after it are any free ones. Returns
 * which of them are asked for.
 */
function takePort(taken: number): number[] {
  const asked: number[] = [];
  const original = Server.prototype.listen;
  const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args) {
    const [options] = args as unknown as [ListenOptions];
    const { port = 0 } = options;
    if (port < taken || port > taken + 10) return original.apply(this, args as never);
    asked.push(port);
    if (port > taken) return original.call(this, { ...options, port: 0 });
    queueMicrotask(() => this.emit('error', Object.assign(new Error('taken'), { code: 'EADDRINUSE' })));
    return this;
  });
  onTestFinished(() => spy.mockRestore());
  return asked;
}

describe('svc dev, told to end by a signal that the test plays', () => {
  /** Once it has said who calls, after which it says nothing more. */
  async function startDev(options = '--port 0', more: Partial<TerminalOptions> = {}) {
    const call = project.start(`dev --no-tui${options && ` ${options}`}`, more);
    const studio = await untilFound(() => (call.stdout.includes('Studio is running') ? readStudio() : null));
    await until(() => call.stdout).toMatch(/Identity: |No identity on |Studio works without it/);
    const end = async (signal: Signal = 'SIGTERM') => {
      call.signal(signal);
      return (await call.done).exitCode;
    };
    return { studio, call, end };
  }

  it('has http://localhost:4000; when it is taken the next free one, and says so', async () => {
    const asked = takePort(4000);
    const { studio, call, end } = await startDev('');
    const { port } = new URL(studio.url);
    expect(asked.slice(0, 2)).toEqual([4000, 4001]);
    expect((await fetch(`http://127.0.0.1:${port}/api/jobs`)).status).toBe(403);
    await call.shown(`Port 4000 is in use; using ${port} instead.\nStudio is running at ${studio.url}\n`);
    expect(await end()).toBe(0);
  });

  it('has the port that --port says, and a taken one is an error', async () => {
    const { studio, end } = await startDev();
    const { port } = new URL(studio.url);
    const taken = failure(1, `Port ${port} is in use.`);
    expect(await svc(`dev --port ${port}`)).toMatchObject({ ...taken, stdout: '' });
    expect(readStudio()).toEqual(studio);
    expect(await end('SIGINT')).toBe(130);
    expect(exists('.svc/studio.json')).toBe(false);
    const again = await startDev(`--port ${port}`);
    await again.call.shown(`Studio is running at http://localhost:${port}\n`);
    await again.end();
  });

  it('a second one in the same folder says that there is one', async () => {
    const first = await startDev();
    const second = await startDev();
    await second.call.shown(`Another svc dev is running here at ${first.studio.url}.`);
    await first.end();
    await second.end();
    expect(readStudio()).toBeNull();
  });

  it('svc dev itself writes no state file, and calls nobody; it says that there is nothing to train', async () => {
    await rm(project.path('src'), { recursive: true });
    const { studio, call, end } = await startDev();
    await call.shown('No identity on ');
    await call.shown('! There is no src/svc/index.ts');
    await call.shown(`in ${project.cwd}. Run "svc init" to create one.\n`);
    for (const path of ['/api/jobs', '/api/deployments', '/api/train']) await callStudio(studio, path);
    await end();
    expect(project.cloud.calls).toEqual([]);
    expect(exists('.svc/state.json')).toBe(false);
    expect(exists('../home')).toBe(false);
  });

  it('says who calls, from the files alone', async () => {
    const { home, cloud } = project;
    await writeCredentials(home, { [cloud.url]: sampleAnonymous({ orgSlug: 'anon-9' }) });
    const { call, end } = await startDev();
    await call.shown(`Identity: anonymous · anon-9 · ${new URL(cloud.url).host}\n`);
    expect(await end('SIGHUP')).toBe(0);
    expect(cloud.calls).toEqual([]);
  });

  it('--cwd names the project, by whatever path', async () => {
    const { root: cwd } = project;
    await symlink(project.cwd, join(cwd, 'link'));
    await (await startDev('--port 0 --cwd link', { cwd })).end();
    expect(await svc('dev --cwd nowhere', { cwd })).toMatchObject(
      failure(1, `No such folder: ${join(cwd, 'nowhere')}`),
    );
  });

  it('runs the project with the home that it has itself, also if that is named relative to another folder', async () => {
    await project.write(
      'src/svc/index.ts',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('home.txt', String(process.env.SVC_HOME));\n",
    );
    const { root: cwd, home, env } = project;
    const SVC_HOME = relative(process.cwd(), home);
    const { studio, end } = await startDev('--port 0 --cwd project', { cwd, env: { ...env, SVC_HOME } });
    expect((await callStudio(studio, '/api/train', 'POST')).status).toBe(200);
    expect(await untilFile(project.path('home.txt'))).toBe(home);
    expect(await end()).toBe(0);
  });

  it('goes on when the local cloud cannot be started, and says so', async () => {
    await project.write('../home/cloud', 'in the way');
    const { studio, call, end } = await startDev('--port 0', {
      env: { ...process.env, SVC_CLOUD_URL: '' },
    });
    await call.shown('Studio works without it');
    expect((await callStudio(studio, '/api/jobs')).status).toBe(200);
    expect(await end()).toBe(0);
  });

  it('--open opens the browser at the address that was bound, and says when it cannot', async () => {
    const { root } = project;
    await writeFile(join(root, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$*" > "${join(root, 'opened')}"\n`);
    await chmod(join(root, 'xdg-open'), 0o755);
    const display = { ...project.env, PATH: `${root}${delimiter}${process.env.PATH}`, DISPLAY: ':9' };
    expect(await openBrowser('http://localhost:4000/;touch x', display, 'linux')).toBeNull();
    expect(await untilFile(join(root, 'opened'))).toBe('http://localhost:4000/;touch x');
    for (const [env, reason] of [
      [{ CI: '1' }, 'running in CI'],
      [{ DISPLAY: '' }, 'no display found'],
      [{ PATH: '/nowhere' }, 'cannot run xdg-open (ENOENT)'],
    ] as const)
      expect(await openBrowser('http://x', { ...display, ...env }, 'linux')).toBe(reason);
    const { studio, call, end } = await startDev('--port 0 --open');
    await call.shown(`Could not open a browser: no display found. Open ${studio.url} yourself.`);
    await end();
  });
});

describe('svc dev as a process', () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  async function launch() {
    const child = spawn(process.execPath, [...findSvc(), 'dev', '--no-tui', '--port', '0'], {
      cwd: project.cwd,
      env: { ...process.env, ...project.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    const stderr = text(child.stderr!);
    const exited = once(child, 'exit');
    const studio = await untilFound(async () => {
      if (child.exitCode !== null) throw new Error(await stderr);
      const found = readStudio();
      return found?.pid === child.pid ? found : null;
    });
    return { child, studio, exited };
  }

  /** The process that follows the run. */
  async function train(studio: StudioFile): Promise<number> {
    expect((await callStudio(studio, '/api/train', 'POST')).status).toBe(200);
    await until(() => project.cloud.calls).toContain(`GET /v1/jobs/${JOB_ID}/events/stream`);
    return Number(readFileSync(project.path('start.pid'), 'utf8'));
  }

  it.each([
    ['SIGTERM', [0, null]],
    ['SIGHUP', [0, null]],
    ['SIGINT', [130, null]],
    ['SIGKILL', [null, 'SIGKILL']],
  ] as const)('stops with %s: port, file and children go with it; its job does not', async (signal, end) => {
    const { child, studio, exited } = await launch();
    const pid = await train(studio);
    expect(isAlive(pid)).toBe(true);
    expect(exists('.svc/state.json')).toBe(true);
    child.kill(signal);
    expect(await exited).toEqual(end);
    if (signal !== 'SIGKILL') expect(exists('.svc/studio.json')).toBe(false);
    await untilGone(pid);
    await expect(fetch(studio.url)).rejects.toThrow();
    expect(project.cloud.calls.filter(name => name.endsWith('/cancel'))).toEqual([]);
  });

  it.runIf(tellsSockets)(
    'Studio has no public address: it listens on 127.0.0.1 and ::1 alone, and no tunnel goes out of it or of its run',
    async () => {
      const { child, studio } = await launch();
      expect((await callStudio(studio, '/api/credentials')).status).toBe(200);
      await train(studio);
      const atPortOf = (url: string) => ['127.0.0.1', '[::1]'].map(host => `${host}:${new URL(url).port}`);
      const own = atPortOf(studio.url);
      const sockets = await socketsOf(child.pid!);
      expect(sockets.filter(({ remote }) => remote === null).map(({ local }) => local)).toEqual(own);
      const outward = sockets.flatMap(({ local, remote }) => (own.includes(local) ? [] : [remote]));
      // The run follows its job.
      expect(atPortOf(project.cloud.url)).toEqual(expect.arrayContaining([...new Set(outward)]));
      expect(outward.length).toBeGreaterThan(0);
      // It asks again what the job waits for when nothing has come for a while.
      const calls = new Set(project.cloud.calls.filter(call => call !== `GET /v1/jobs/${JOB_ID}`));
      expect([...calls].sort()).toEqual([
        'GET /v1/cloud',
        `GET /v1/jobs/${JOB_ID}/events/stream`,
        'GET /v1/projects',
        'POST /v1/auth/anonymous',
        'POST /v1/jobs',
        'POST /v1/projects',
      ]);
    },
  );

  it('takes its file with it when its terminal is gone without a word', async () => {
    const { child, studio, exited } = await launch();
    const pid = await train(studio);
    child.stdout!.destroy();
    process.kill(pid, 'SIGKILL');
    await exited;
    expect(exists('.svc/studio.json')).toBe(false);
  });
});
