// svc dev: in this process where a signal can be played, and as a real one where only that can show how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { type ListenOptions, Server } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Io, Signal } from '../../cli/command.js';
import { openBrowser } from '../../cli/commands/terminal/open-browser.js';
import { main } from '../../cli/main.js';
import type { ErrorEnvelope, StudioFile } from '../../lib/contract/index.js';
import { isAlive } from '../../lib/sdk/index.js';
import { findSvc } from '../../lib/system/index.js';
import { callCli } from '../support/cli.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { untilFound } from '../support/in-time.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { sampleAnonymous } from '../support/samples.js';
import { socketsOf, tellsSockets } from '../support/sockets.js';
import { until } from '../support/until.js';
import { untilFile } from '../support/until-file.js';
import { untilGone } from '../support/until-gone.js';
import { writeCredentials } from '../support/write-credentials.js';

const JOB = '1a2b3c4d-0000-4000-8000-000000000001';
const SDK = JSON.stringify(new URL('../../lib/sdk/service.ts', import.meta.url).pathname);
/** A run that does not end by itself, and says which process follows it. */
const ENTRY = `import { writeFileSync } from 'node:fs';
import { createService } from ${SDK};
writeFileSync('start.pid', String(process.pid));
const options = { name: 'endless', dataset: { type: 'huggingface', name: 'a/b' } };
export const service = createService({ trainer: { name: 'endless', options, start() {} } });
`;

let project: RemoteProject;
let root: string;
let folder: string;
let cloud: FakeCloud;
beforeEach(async () => {
  const job = {
    id: JOB,
    name: 'endless',
    status: 'queued',
    config: {},
    createdAt: new Date().toISOString(),
  };
  const silent = new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode(': \n\n')),
  });
  project = await openRemoteProject({
    createJob: () => ({ job }),
    cancelJob: () => ({ job }),
    streamJobEvents: () => new Response(silent, { headers: { 'content-type': 'text/event-stream' } }),
  });
  ({ root, cwd: folder, cloud } = project);
  await project.write('src/svc/index.ts', ENTRY);
});
afterEach(() => project.close());

const exists = (path: string) =>
  stat(join(folder, path)).then(
    () => true,
    () => false,
  );

const readStudio = (at = folder) =>
  readFile(join(at, '.svc', 'studio.json'), 'utf8').then(
    content => JSON.parse(content) as StudioFile,
    () => null,
  );
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
  /** Runs until `end` is called. */
  function startDev(args: string[], extra: Partial<Io> = {}) {
    const printed = { stdout: '', stderr: '' };
    const reacts = new Map<Signal, () => void>();
    const output = (name: keyof typeof printed) => ({
      write: (part: string) => {
        printed[name] += part;
      },
    });
    const io: Io = {
      stdout: output('stdout'),
      stderr: output('stderr'),
      env: project.env,
      cwd: folder,
      onSignal(signal, react) {
        reacts.set(signal, react);
        return () => void reacts.delete(signal);
      },
      ...extra,
    };
    const code = main(['dev', '--no-tui', ...args], io);
    return { printed, code, end: (signal: Signal) => reacts.get(signal)!() };
  }

  it('The default address is http://localhost:4000; when it is taken the next free one is, and says so', async () => {
    const asked = takePort(4000);
    const { printed, code, end } = startDev([]);
    const studio = await untilFound(() => readStudio());
    const port = Number(new URL(studio.url).port);
    expect(asked.slice(0, 2)).toEqual([4000, 4001]);
    expect((await fetch(`http://127.0.0.1:${port}/api/jobs`)).status).toBe(403);
    await until(() => printed.stdout).toMatch(/Identity: |No identity on /);
    expect(printed.stdout).toContain(
      `Port 4000 is in use; using ${port} instead.\nStudio is running at ${studio.url}\n`,
    );
    end('SIGTERM');
    expect(await code).toBe(0);
  });

  it('says that there is nothing to train yet, and what to do', async () => {
    await rm(join(folder, 'src'), { recursive: true });
    const { printed, code, end } = startDev(['--port', '0']);
    await until(() => printed.stdout).toContain('! There is no src/svc/index.ts');
    expect(printed.stdout).toContain(`in ${folder}. Run "svc init" to create one.\n`);
    end('SIGTERM');
    expect(await code).toBe(0);
  });

  it('The port is set with --port, and a taken one is an error', async () => {
    const { printed, code, end } = startDev(['--port', '0']);
    const studio = await untilFound(() => readStudio());
    const { port } = new URL(studio.url);
    const other = await callCli(['dev', '--port', port], { cwd: folder, env: project.env });
    expect(other).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining(`Port ${port} is in use.`),
    });
    expect(await readStudio()).toEqual(studio);
    await until(() => printed.stdout).toMatch(/Identity: |No identity on /);
    end('SIGINT');
    expect(await code).toBe(130);
    expect(await exists('.svc/studio.json')).toBe(false);
    const again = startDev(['--port', port]);
    await untilFound(() => readStudio());
    await until(() => again.printed.stdout).toContain(`Studio is running at http://localhost:${port}\n`);
    again.end('SIGTERM');
    await again.code;
  });

  it('a second one in the same folder is found by scripts, and says so', async () => {
    const first = startDev(['--port', '0']);
    const { url } = await untilFound(() => readStudio());
    const second = startDev(['--port', '0']);
    await until(() => second.printed.stdout).toContain(`Another svc dev is running here at ${url}.`);
    await until(() => second.printed.stdout).toMatch(/Identity: |No identity on /);
    first.end('SIGTERM');
    await first.code;
    expect((await readStudio())?.url).not.toBe(url);
    second.end('SIGTERM');
    await second.code;
    expect(await readStudio()).toBeNull();
  });

  it.each(['x', '-1', '65536', '4000.5', ''])('--port %s is no port', async port => {
    expect(await callCli(['dev', `--port=${port}`], { cwd: folder })).toMatchObject({ exitCode: 2 });
  });

  it('svc dev itself does not write the state file, and calls nobody', async () => {
    const { printed, code, end } = startDev(['--port', '0']);
    const studio = await untilFound(() => readStudio());
    for (const path of ['/api/jobs', '/api/deployments', '/api/train']) await callStudio(studio, path);
    await until(() => printed.stdout).toContain('No identity on ');
    end('SIGTERM');
    await code;
    expect(cloud.calls).toEqual([]);
    expect(await exists('.svc/state.json')).toBe(false);
    expect(await exists('../home')).toBe(false);
  });

  it('says who calls, from the files alone', async () => {
    await writeCredentials(project.home, { [cloud.url]: sampleAnonymous({ orgSlug: 'anon-9' }) });
    const { printed, code, end } = startDev(['--port', '0']);
    await until(() => printed.stdout).toContain(
      `Identity: anonymous · anon-9 · ${new URL(cloud.url).host}\n`,
    );
    end('SIGHUP');
    expect(await code).toBe(0);
    expect(cloud.calls).toEqual([]);
  });

  it('--cwd names the project, by whatever path', async () => {
    await symlink(folder, join(root, 'link'));
    const { printed, code, end } = startDev(['--port', '0', '--cwd', 'link'], { cwd: root });
    await untilFound(() => readStudio());
    await until(() => printed.stdout).toMatch(/Identity: |No identity on /);
    end('SIGTERM');
    await code;
    expect(await callCli(['dev', '--cwd', 'nowhere'], { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`No such folder: ${join(root, 'nowhere')}`),
    });
  });

  it('goes on when the local cloud cannot be started, and says so', async () => {
    await mkdir(project.home);
    await writeFile(join(project.home, 'cloud'), 'in the way');
    const local = { ...process.env, SVC_HOME: project.home, SVC_CLOUD_URL: '' };
    const { printed, code, end } = startDev(['--port', '0'], { env: local });
    const studio = await untilFound(() => readStudio());
    await until(() => printed.stdout).toContain('Studio works without it');
    expect((await callStudio(studio, '/api/jobs')).status).toBe(200);
    end('SIGTERM');
    expect(await code).toBe(0);
  });

  it('--open opens the browser at the address that was bound, and says when it cannot', async () => {
    const opener = join(root, 'xdg-open');
    await writeFile(opener, `#!/bin/sh\nprintf '%s' "$*" > "${join(root, 'opened')}"\n`);
    await chmod(opener, 0o755);
    const display = { ...project.env, PATH: `${root}${delimiter}${process.env.PATH}`, DISPLAY: ':9' };
    expect(await openBrowser('http://localhost:4000/;touch x', display, 'linux')).toBeNull();
    const opened = await untilFile(join(root, 'opened'));
    expect(opened).toBe('http://localhost:4000/;touch x');
    expect(await openBrowser('http://x', { ...display, CI: '1' }, 'linux')).toBe('running in CI');
    expect(await openBrowser('http://x', { ...display, DISPLAY: '' }, 'linux')).toBe('no display found');
    expect(await openBrowser('http://x', { ...display, PATH: '/nowhere' }, 'linux')).toBe(
      'cannot run xdg-open (ENOENT)',
    );
    const { printed, code, end } = startDev(['--port', '0', '--open']);
    const { url } = await untilFound(() => readStudio());
    await until(() => printed.stdout).toContain(
      `Could not open a browser: no display found. Open ${url} yourself.`,
    );
    end('SIGTERM');
    await code;
  });
});

describe('svc dev as a process', () => {
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  async function launch() {
    const child = spawn(process.execPath, [...findSvc(), 'dev', '--no-tui', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, ...project.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    const stderr = text(child.stderr!);
    const exited = once(child, 'exit');
    const studio = await untilFound(async () => {
      if (child.exitCode !== null) throw new Error(await stderr);
      const found = await readStudio();
      return found?.pid === child.pid ? found : null;
    });
    return { child, studio, exited };
  }

  async function train(studio: StudioFile): Promise<number> {
    expect((await callStudio(studio, '/api/train', 'POST')).status).toBe(200);
    await until(() => cloud.calls).toContain(`GET /v1/jobs/${JOB}/events/stream`);
    return Number(await readFile(join(folder, 'start.pid'), 'utf8'));
  }

  it.each([
    ['SIGTERM', 0],
    ['SIGHUP', 0],
    ['SIGINT', 130],
  ] as const)(
    'It stops when that process stops, by %s: port, file and children go with it; its job does not',
    async (signal, code) => {
      const { child, studio, exited } = await launch();
      const pid = await train(studio);
      expect(isAlive(pid)).toBe(true);
      expect(await exists('.svc/state.json')).toBe(true);
      child.kill(signal);
      expect(await exited).toEqual([code, null]);
      expect(await exists('.svc/studio.json')).toBe(false);
      await untilGone(pid);
      await expect(fetch(studio.url)).rejects.toThrow();
      expect(cloud.calls.filter(name => name.endsWith('/cancel'))).toEqual([]);
    },
  );

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
      expect(atPortOf(cloud.url)).toEqual(expect.arrayContaining([...new Set(outward)]));
      expect(outward.length).toBeGreaterThan(0);
      expect(new Set(cloud.calls)).toEqual(
        new Set([
          'POST /v1/auth/anonymous',
          'GET /v1/projects',
          'POST /v1/projects',
          'POST /v1/jobs',
          `GET /v1/jobs/${JOB}/events/stream`,
        ]),
      );
    },
  );

  it('that is killed leaves the one before it to be found', async () => {
    const first = await launch();
    const second = await launch();
    second.child.kill('SIGKILL');
    await second.exited;
    await until(() => readStudio()).toEqual(first.studio);
  });

  it('the token changes at every launch, and that of the launch before is refused', async () => {
    const first = await launch();
    first.child.kill('SIGTERM');
    await first.exited;
    const second = await launch();
    expect(second.studio.token).not.toBe(first.studio.token);
    const stale = { ...second.studio, token: first.studio.token };
    const refused = await callStudio(stale, '/api/jobs');
    expect([refused.status, ((await refused.json()) as ErrorEnvelope).error.code]).toEqual([
      403,
      'studio_token_invalid',
    ]);
    expect((await callStudio(second.studio, '/api/jobs')).status).toBe(200);
  });

  it('leaves no port and no children when it is killed', async () => {
    const { child, studio, exited } = await launch();
    const pid = await train(studio);
    child.kill('SIGKILL');
    await exited;
    await expect(fetch(studio.url)).rejects.toThrow();
    await untilGone(pid);
  });

  it('takes its file with it when its terminal is gone without a word', async () => {
    const { child, studio, exited } = await launch();
    const pid = await train(studio);
    child.stdout!.destroy();
    process.kill(pid, 'SIGKILL');
    await exited;
    expect(await exists('.svc/studio.json')).toBe(false);
  });
});
