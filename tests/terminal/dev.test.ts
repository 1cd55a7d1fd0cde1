// The built `svc dev` in a real terminal: with a real cloud that really trains, and what is typed into its forms.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectOfEach } from '../cli/support/project.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { JOB_ID } from '../support/samples.js';
import { until } from '../support/until.js';
import { openSvc } from './support/open-svc.js';
import { createProject, type Project } from './support/project.js';

const STEPS = 12;
/** Enough for something to happen meanwhile. */
const LONG = 240;
/** Nothing of the dashboard is left on the terminal. */
const RESTORED = { isTaken: false, isCursorShown: true, isMouseRead: false };

let project: Project;
beforeAll(async () => {
  project = await createProject();
  await project.train('zebra', STEPS);
});
afterAll(() => project.remove());

const dev = (options?: Parameters<Project['open']>[1]) => project.open(['dev', '--port', '0'], options);

// Each test goes on where the one before has ended.
describe('svc dev in a terminal', { shuffle: false }, () => {
  describe('a run', () => {
    it('is started, watched at any size, and ends; every view can be used', async () => {
      const screen = project.open(['dev', '--port', '0', '--shell']);
      const identity = /anonymous · anon-\w+ · local/;
      await screen.shows('Run training: zebra', identity, 'http://localhost:', 'cloud up');
      expect(screen.modes.isTaken).toBe(true);
      screen.press('R');
      await screen.shows('Enter open job');
      screen.press('enter');
      await screen.shows('● running', 'Training loss', 'Event log', 'cloud up');
      screen.resize({ columns: 120, rows: 40 });
      await screen.shows('Metadata', /anonymous · anon-\w+ \/ app-\w+ · local/);
      screen.resize({ columns: 50, rows: 10 });
      await screen.shows('The terminal is too small: 50x10.');
      screen.resize({ columns: 80, rows: 24 });
      await screen.shows('✓ completed', 'training.completed');
      screen.press('a');
      await screen.shows('Mean, 95% CI', `Values          ${STEPS}`);

      screen.press('2');
      await screen.shows(/✓ completed +zebra/, '1 job');
      screen.press('3', 'm');
      await screen.shows('Completed jobs', /zebra · \w{8}/);
      screen.press('enter', 'enter');
      await screen.shows('● Adapter: zebra');
      screen.press('The printer is broken.', 'enter');
      await screen.shows(/\n│ zebra \(job \w{8}\)/);
      screen.press('escape', 'escape');
      await screen.shows('Enter write');
      screen.press('4');
      await screen.shows('No endpoints yet');
      screen.press('n', 'printers', 'tab', 'left', 'ctrl-s');
      await screen.shows('● enabled', 'printers.localhost', 'Base model: svc/tiny-instruct');
      screen.press('enter');
      await screen.shows('/v1/chat/completions', 'No keys yet');
      screen.press('i', 'ci', 'enter');
      await screen.shows(/svc_live_\w{20}/, 'It will not be shown again.');
      screen.press(':', 'jobs list', 'enter');
      await screen.shows(/completed +zebra/, 'Done.');

      screen.press('escape');
      await screen.hides('Done.');
      screen.press('q');
      expect(await screen.exited).toBe(0);
      expect(screen.modes).toEqual(RESTORED);
      expect(screen.text()).toMatch(/Training of zebra completed, job [\da-f-]{36}/);
    });

    // It trains to its end, with a cloud that starts anew. A wait for what does not come ends long before.
    it('goes on through the death of the cloud: the interruption is told, then over', {
      timeout: 3 * JOURNEY_TIMEOUT_MS,
    }, async () => {
      await project.train('giraffe', LONG);
      const screen = dev({ size: { columns: 110, rows: 36 } });
      await screen.shows('Run training: giraffe');
      screen.press('R');
      await screen.shows('Enter open job');
      screen.press('enter');
      const shownStep = new RegExp(`Step +(\\d+) of ${LONG}`);
      await screen.shows('checkpoint.saved', shownStep);
      // The log came first: what follows it arrives in the stream. Only a stream that is open can be interrupted.
      const step = () => Number(shownStep.exec(screen.text())?.[1]);
      await until(step).toBeGreaterThan(step());
      process.kill(await project.cloudPid(), 'SIGKILL');
      await screen.shows('Event stream interrupted.');
      screen.press('q');
      // Which one, is a matter of whether the cloud is there again.
      const continues = /Its job continues(, but its callbacks stop\.| once the cloud responds again)/;
      await screen.shows(continues, 'Quit?');
      screen.press('n');
      await screen.hides('Event stream interrupted.');
      // Beside other work, each half may take as long as a wait has.
      await screen.shows(new RegExp(`Step +(1[2-9]|2[0-4])\\d of ${LONG}`));
      await screen.shows('✓ completed', 'training.completed', `step=${LONG}`);
      screen.kill('SIGTERM');
      expect(await screen.exited).toBe(0);
      expect(screen.modes).toEqual(RESTORED);
    });
  });

  describe('the end', () => {
    it('by a crash prints the error on the normal screen', async () => {
      const crash = "process.on('SIGUSR2', () => { throw new Error('zebra broke'); })";
      const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(crash)}`;
      const screen = dev({ env: { NODE_OPTIONS } });
      await screen.shows('Run training:');
      expect(screen.modes.isMouseRead).toBe(true);
      screen.kill('SIGUSR2');
      expect(await screen.exited).not.toBe(0);
      expect(screen.modes).toEqual(RESTORED);
      await screen.shows('zebra broke');
      expect(await project.read('.svc/studio.json')).toBeNull();
    });

    it('by a closed terminal takes all of it away', async () => {
      const screen = dev();
      await screen.shows('Run training:');
      screen.close();
      await screen.exited;
      expect(await project.read('.svc/studio.json')).toBeNull();
    });
  });

  it('with --no-tui is plain lines', async () => {
    const screen = project.open(['dev', '--port', '0', '--no-tui']);
    await screen.shows(/Studio is running at http:\/\/localhost:\d+\nIdentity: anonymous/);
    expect(screen.written).not.toContain('\u001b[');
    screen.press('ctrl-c');
    expect(await screen.exited).toBe(130);
  });

  describe('a cloud elsewhere', () => {
    const elsewhere = projectOfEach({ isLinked: true });
    const backspaces = Array.from({ length: 12 }, () => 'backspace');
    const inField = (label: string, text: string) => new RegExp(`${label} +${text}$`, 'm');

    it('gets all that is typed, in its order: keys that come at once, key by key, or as a paste', async () => {
      const screen = openSvc(['dev', '--port', '0'], elsewhere);
      await screen.shows('1 Overview');
      screen.press('4');
      await screen.shows('No endpoints yet');
      screen.press('n', ...'mnopqrstuvwx', ...backspaces.slice(4), 'left', 'left', ...'ab');
      await screen.shows(inField('Slug', 'mnabop'));
      screen.press('right', 'right');
      for (const typed of ['x', 'xy', 'xyz']) {
        screen.press(typed.at(-1)!);
        await screen.shows(inField('Slug', `mnabop${typed}`));
      }
      screen.press('tab', 'tab', `\u001b[200~${JOB_ID}\u001b[201~`);
      await screen.shows(inField('Job ID', JOB_ID));
      screen.press(...backspaces);
      await screen.shows(inField('Job ID', JOB_ID.slice(0, -12)));
      screen.press(...JOB_ID.slice(-12), 'ctrl-s');
      await screen.shows('Created endpoint mnabopxyz.');
      const target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
      expect(elsewhere.cloud.deployments).toMatchObject([{ slug: 'mnabopxyz', target }]);
    });
  });
});
