// The built `svc watch` in a real terminal, over a cloud elsewhere: nothing listens, nothing is built.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventStream } from '../../lib/http/index.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import { openSvc } from './support/open-svc.js';

let job = sampleJob({ id: JOB_ID, name: 'far away' });

let project: RemoteProject;
beforeEach(async () => {
  job = sampleJob({ id: JOB_ID, name: 'far away' });
  project = await openRemoteProject({
    listJobs: () => ({ jobs: [job] }),
    getJob: () => ({ job }),
    streamJobEvents: () =>
      eventStream(async ({ send, signal }) => {
        await send({ id: 1, event: 'training.log', data: JSON.stringify({ step: 7, loss: 0.25 }) });
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
      }),
  });
  await project.link();
});
afterEach(() => project.close());

const watch = (...args: string[]) => openSvc(['watch', ...args], project);

it('svc watch shows the jobs of the cloud that is meant, and leaves nothing in the project', async () => {
  const screen = watch();
  await screen.shows(
    `anonymous · org-anna / shop-1a2b · ${new URL(project.cloud.url).host}`,
    'cloud up',
    /● running +far away/,
    '1 job',
  );
  screen.press('1');
  await screen.shows('There is no project in this folder yet.', 'npx svc init');
  screen.press('q');
  expect(await screen.exited).toBe(0);
  expect({ taken: screen.isTaken, cursor: screen.isCursorShown }).toEqual({ taken: false, cursor: true });
  expect(screen.text()).toContain(`No training was started. Log: ${join(project.home, 'logs', 'watch.log')}`);
  expect(await readdir(join(project.cwd, '.svc'))).toEqual(['state.json']);
});

it('svc watch ID shows that job live; an ID may be shortened, and one that nobody has is an error', async () => {
  const screen = watch(JOB_ID.slice(0, 8));
  await screen.shows('● running  far away', 'step=7 loss=0.25', 'Latest: step 7');
  screen.press('escape');
  await screen.shows('1 job');
  screen.kill('SIGTERM');
  expect(await screen.exited).toBe(0);
  expect(screen.isTaken).toBe(false);

  const other = watch('ffff');
  expect(await other.exited).toBe(1);
  expect(other.text()).toContain('ffff');
});

it('svc watch hears of the mouse, unless it is to leave it alone', async () => {
  const screen = watch();
  await screen.shows(/● running +far away/);
  expect(screen.isMouseRead).toBe(true);
  screen.click('far away');
  await screen.shows('step=7 loss=0.25');
  screen.click('4 Endpoints');
  await screen.shows('No endpoints yet');
  screen.click('Esc back');
  await screen.shows('step=7 loss=0.25');
  screen.click('q quit');
  expect(await screen.exited).toBe(0);
  expect(screen.isMouseRead).toBe(false);

  const other = watch('--no-mouse');
  await other.shows('far away');
  expect(other.isMouseRead).toBe(false);
  other.press('q');
  await other.exited;
});

it('svc watch draws everything again after it was stopped and another program wrote on the screen', async () => {
  const screen = watch();
  await screen.shows(/● running +far away/);
  screen.kill('SIGSTOP');
  screen.scribble('\u001b[?1049l\u001b[?25h\u001b[?1000lzebra');
  await screen.hides('far away');
  screen.kill('SIGCONT');
  await screen.shows(/● running +far away/, '1 Overview');
  await screen.hides('zebra');
  const { isTaken, isCursorShown, isMouseRead } = screen;
  expect({ isTaken, isCursorShown, isMouseRead }).toEqual({
    isTaken: true,
    isCursorShown: false,
    isMouseRead: true,
  });
  screen.press('q');
  expect(await screen.exited).toBe(0);
});

it('svc watch --notify rings the terminal when a run ends', async () => {
  const screen = watch('--notify');
  await screen.shows(/● running +far away/);
  job = { ...job, status: 'completed' };
  await until(() => screen.written).toContain('\u0007\u001b]9;far away completed\u0007');
  await screen.shows('far away completed');
  screen.press('q');
  expect(await screen.exited).toBe(0);
});
