// The built `svc watch` in a real terminal, over a cloud elsewhere: nothing listens, nothing is built.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eventStream } from '../../lib/http/index.js';
import { projectOfEach } from '../cli/support/project.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import { openSvc } from './support/open-svc.js';

const RUNNING = /● running +far away/;
let job = sampleJob();
beforeEach(() => {
  job = sampleJob({ name: 'far away' });
});
const project = projectOfEach({
  isLinked: true,
  routes: {
    listJobs: () => ({ jobs: [job] }),
    getJob: () => ({ job }),
    streamJobEvents: () =>
      eventStream(async ({ send, signal }) => {
        await send({ id: 1, event: 'training.log', data: JSON.stringify({ step: 7, loss: 0.25 }) });
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
      }),
  },
});

const watch = (...args: string[]) => openSvc(['watch', ...args], project);

it('svc watch shows the jobs of the cloud that is meant, and leaves nothing in the project', async () => {
  const screen = watch();
  const { host } = new URL(project.cloud.url);
  await screen.shows(`anonymous · org-anna / shop-1a2b · ${host}`, 'cloud up', RUNNING, '1 job');
  screen.press('1');
  await screen.shows('There is no project in this folder yet.', 'npx svc init');
  screen.press('q');
  expect(await screen.exited).toBe(0);
  expect(screen.modes).toEqual({ isTaken: false, isCursorShown: true, isMouseRead: false });
  const file = join(project.home, 'logs', 'watch.log');
  expect(screen.text()).toContain(`No training was started. Log: ${file}`);
  expect(await readdir(project.path('.svc'))).toEqual(['state.json']);
});

it('svc watch ID shows that job live; an ID may be shortened, and one that nobody has is an error', async () => {
  const screen = watch(JOB_ID.slice(0, 8));
  await screen.shows('● running  far away', 'step=7 loss=0.25', 'Latest: step 7');
  screen.press('escape');
  await screen.shows('1 job');
  screen.kill('SIGTERM');
  expect(await screen.exited).toBe(0);
  expect(screen.modes.isTaken).toBe(false);

  const other = watch('ffff');
  expect(await other.exited).toBe(1);
  expect(other.text()).toContain('ffff');
});

it('svc watch hears of the mouse, unless it is to leave it alone', async () => {
  const screen = watch();
  await screen.shows(RUNNING);
  expect(screen.modes.isMouseRead).toBe(true);
  for (const [text, shown] of [
    ['far away', 'step=7 loss=0.25'],
    ['4 Endpoints', 'No endpoints yet'],
    ['Esc back', 'step=7 loss=0.25'],
  ] as const) {
    screen.click(text);
    await screen.shows(shown);
  }
  screen.click('q quit');
  expect(await screen.exited).toBe(0);

  const other = watch('--no-mouse');
  await other.shows('far away');
  expect(other.modes.isMouseRead).toBe(false);
  other.press('q');
  await other.exited;
});

it('svc watch draws everything again after it was stopped and another program wrote on the screen', async () => {
  const screen = watch();
  await screen.shows(RUNNING);
  screen.kill('SIGSTOP');
  screen.scribble('\u001b[?1049l\u001b[?25h\u001b[?1000lzebra');
  await screen.hides('far away');
  screen.kill('SIGCONT');
  await screen.shows(RUNNING, '1 Overview');
  await screen.hides('zebra');
  expect(screen.modes).toEqual({ isTaken: true, isCursorShown: false, isMouseRead: true });
  screen.press('q');
  expect(await screen.exited).toBe(0);
});

it('svc watch --notify rings the terminal when a run ends', async () => {
  const screen = watch('--notify');
  await screen.shows(RUNNING);
  job = { ...job, status: 'completed' };
  await until(() => screen.written).toContain('\u0007\u001b]9;far away completed\u0007');
  await screen.shows('far away completed');
  screen.press('q');
  expect(await screen.exited).toBe(0);
});
