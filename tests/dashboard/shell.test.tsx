import { describe, expect, it } from 'vitest';
import { POLL_MS } from '../../cli/dashboard/hooks/fetched.js';
import { ApiError, type Identity, type JobSummary } from '../../lib/contract/index.js';
import { sampleModelFacts } from '../support/sample-overview.js';
import { until } from '../support/until.js';
import { type FakeStudio, fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const AWAY = new ApiError('cloud_unreachable', 'away');
const SMALL = { columns: 60, rows: 20 };

/** With one job. */
const withJob = () => fakeStudio({ jobs: [jobSummary()] });

function known(identity: Partial<Identity>): FakeStudio {
  const studio = fakeStudio();
  studio.world.identity = { ...studio.world.identity, ...identity };
  return studio;
}

describe('what is always in view', () => {
  it('is who one is, where Studio is, the four places, the cloud and what keys do', async () => {
    const { press } = await openDashboard({ size: { columns: 80, rows: 24 } });
    const places = /1 Overview +2 Jobs +3 Playground +4 Endpoints/;
    const always = [
      'anonymous · acme / demo-1a2b · local',
      'http://localhost:4000',
      'cloud',
      /\? help +q quit/,
    ];
    for (const place of ['1', '2', '3', '4']) await press(place).shows(...always, places);
  });

  it('shortens the address, and only then names no place but the one that one is in', async () => {
    const { shows, resize, press, lines } = await openDashboard({ size: { columns: 70, rows: 20 } });
    await shows(/1 Overview +2 Jobs +3 Playground +4 Endpoints +localhost:4000$/m);
    await resize(60, 20).shows(/1 Overview +2 Jobs +3 Playground +4 Endpoints +:4000$/m);
    await resize(40, 15);
    const places = () => lines()[1]!.replace(/ +(localhost)?:4000 *$/, '');
    for (const [key, named] of [
      ['1', '1 Overview   2   3   4'],
      ['2', '1   2 Jobs   3   4'],
      ['3', '1   2   3 Playground   4'],
      ['4', '1   2   3   4 Endpoints'],
    ] as const) {
      await press(key);
      expect(places().trim().replace(/ {3,}/g, '   ')).toBe(named);
    }
  });

  it('has the jobs as the place of one of them', async () => {
    const { press, styleOf } = await openDashboard({ studio: withJob() });
    await press('2', 'enter').shows('Event log', /1 Overview +2 Jobs +3 Playground +4 Endpoints/);
    const styles = [' 1 Overview ', ' 2 Jobs ', ' 3 Playground ', ' 4 Endpoints '].map(styleOf);
    expect(styles).toEqual(['', 'bold inverse', '', '']);
  });

  it('counts the cloud as asked once it is known who one is, and asks it nothing for that', async () => {
    const studio = fakeStudio();
    const release = studio.hold('getIdentity');
    const releaseModel = studio.hold('getBaseModel');
    const { shows } = await openDashboard({ studio });
    await shows('○ checking cloud…');
    release();
    await shows('○ cloud linked');
    releaseModel();
    await shows('● cloud up');
    // The overview asks for what it shows.
    const own = ['getIdentity', 'getManifest', 'getTrainStatus', 'getOverview', 'getBaseModel'];
    expect(new Set(studio.calls)).toEqual(new Set(own));
  });

  it('says why it is not known who one is', async () => {
    const studio = fakeStudio();
    studio.fail('getIdentity', new ApiError('credentials_invalid', 'The credentials file cannot be parsed.'));
    const { shows, press } = await openDashboard({ studio });
    await shows('identity unknown', 'The credentials file cannot be parsed.');
    await press('2').shows('The credentials file cannot be parsed.');
  });

  it('says why the cloud cannot be reached once, and whole in a tall terminal', async () => {
    const told = `The cloud did not start. ${'Port 4190 is used by another program. '.repeat(9)}Free it, or choose another.`;
    const studio = fakeStudio();
    studio.fail('getIdentity', new ApiError('cloud_unreachable', told));
    const { shows, frame } = await openDashboard({ studio, size: { columns: 120, rows: 40 } });
    await shows('identity unknown', 'Free it, or choose another.');
    expect(frame().match(/The cloud did not start\./g)).toHaveLength(1);
  });

  it('tells a cloud that is away from a Studio that is gone', async () => {
    const { studio, press } = await openDashboard();
    studio.fail('listJobs', AWAY);
    await press('2').shows('✗ cloud unreachable');
    studio.fail('listJobs', new ApiError('studio_unreachable', 'gone'));
    await press('r').shows('✗ Studio stopped');
    studio.fail('listJobs');
    await press('r').shows('● cloud up');
  });

  it('hears without a project that the cloud is back: from what it says of its base model, on every page', async () => {
    const studio = known({ projectSlug: null });
    studio.world.baseModel = sampleModelFacts;
    const { press, pass } = await openDashboard({ studio });
    for (const place of ['1', '2']) {
      studio.fail('getBaseModel', AWAY);
      await press('1');
      await pass(POLL_MS).shows('✗ cloud unreachable');
      await press(place);
      studio.fail('getBaseModel');
      await pass(POLL_MS).shows('● cloud up');
    }
  });

  it('hears that the cloud is back from the identity that it gives at last', async () => {
    const studio = known({ projectSlug: null });
    studio.fail('getIdentity', AWAY);
    studio.hold('getBaseModel');
    const { shows, pass } = await openDashboard({ studio });
    await shows('✗ cloud unreachable', 'identity unknown');
    studio.fail('getIdentity');
    await pass(POLL_MS).shows('● cloud up', 'anonymous');
  });

  it('has who one is whole in a small terminal, and what is wrong with the cloud in two rows', async () => {
    const studio = known({ orgSlug: 'anon-4f2a', projectSlug: 'support-bot-1f2e' });
    const { press } = await openDashboard({ studio, size: SMALL });
    await press('2').shows(/anonymous · anon-4f2a \/ support-bot-1f2e · local +● *\n/);
    const told =
      'The local cloud was stopped. Run "svc cloud start" to start it again; its jobs will continue.';
    studio.fail('listJobs', new ApiError('cloud_unreachable', told));
    await press('r').shows(
      /"svc cloud start" to *\n +start it again; its jobs will continue\./,
      '✗ no cloud',
    );
  });

  it('asks once who one is, and again when a first call may have made a project', async () => {
    const studio = known({ projectSlug: null });
    const { shows, press } = await openDashboard({ studio });
    await shows('anonymous');
    expect(studio.count('getIdentity')).toBe(1);
    studio.world.identity = { ...studio.world.identity, projectSlug: 'fresh-9f' };
    await press('4', 'n', 'one', 'tab', 'left', 'ctrl-s').shows('acme / fresh-9f');
    await press('3', '1');
    expect(studio.count('getIdentity')).toBe(2);
  });

  it('has who one is by now: after a while, or at once when one refreshes', async () => {
    const { studio, press, shows, pass, frame } = await openDashboard();
    await shows('acme / demo-1a2b');
    const become = (projectSlug: string) => {
      studio.world.identity = { ...studio.world.identity, projectSlug };
    };
    become('web-2b3c');
    await press('2', 'r').shows('acme / web-2b3c');
    become('app-4d5e');
    await pass(60_000).shows('acme / app-4d5e');
    const before = [frame(), studio.count('getIdentity')];
    await press('r');
    await until(() => studio.count('getIdentity')).toBe(Number(before[1]) + 1);
    expect(frame()).toBe(before[0]);
  });
});

describe('going about', () => {
  it('goes back where one came from', async () => {
    const { press } = await openDashboard({ studio: withJob() });
    await press('4', '2', 'enter').shows('Event log');
    await press('escape').shows('1 job');
    await press('escape').shows('No endpoints yet');
    await press('escape').shows('Training');
  });

  it('opens the browser at the same place', async () => {
    const opened: string[] = [];
    const openBrowser = async (url: string) => {
      opened.push(url);
      return opened.length > 1 ? 'no display found' : null;
    };
    const { press, resize, lines } = await openDashboard({ studio: withJob(), openBrowser });
    await press('2', 'enter', 'o').shows('Opened in the browser.');
    expect(opened).toEqual([`http://localhost:4000/#/jobs/${JOB_ID}`]);
    await resize(60, 20);
    // Told in full, on as many rows as it takes.
    await press('o').shows('Could not open a browser: no display found. Open', 'yourself.');
    expect(lines().join('').replaceAll(' ', '')).toContain(`/#/jobs/${JOB_ID}yourself.`);
  });

  it('names no address and offers no browser where there is no browser app', async () => {
    const { shows, press } = await openDashboard({ studioUrl: null, openBrowser: async () => null });
    await shows('1 Overview', 'r refresh').hides(/http:|o browser/);
    await press('o').hides('Opened in the browser.');
  });

  it('can begin at a job, and goes back to all of them', async () => {
    const studio = withJob();
    const { shows, press } = await openDashboard({ studio, start: { tab: 'jobs', id: JOB_ID } });
    await shows('Event log', JOB_ID);
    await press('escape').shows('1 job');
    expect(studio.count('getManifest')).toBe(0);
  });

  it('lists the keys of where one is first in the help, which scrolls and closes', async () => {
    const { press } = await openDashboard({ size: { columns: 80, rows: 24 } });
    await press('2', '?').shows('Keys', '/', 'Search names and IDs');
    await press('G').shows('Yes');
    await press('escape').shows('No jobs yet');
  });
});

describe('quitting', () => {
  const going = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };
  const withRun = (job: Partial<JobSummary> = { status: 'running' }) =>
    fakeStudio({ train: going, jobs: [jobSummary(job)] });

  it.each(['q', 'ctrl-c'])('is done at once by %s when nothing runs', async key => {
    const dashboard = await openDashboard({ logFile: '/tmp/svc.log' });
    await dashboard.shows('Run training');
    await dashboard.press(key);
    expect(dashboard.isLeft).toBe(true);
    expect(dashboard.summary()).toBe('No training was started. Log: /tmp/svc.log');
  });

  const FOLLOW = `Follow it with "svc jobs logs ${JOB_ID} --follow".`;
  const STILL = `Training of triage is still running, job ${JOB_ID}. ${FOLLOW}`;
  const RESPONDS_NOT = `Training of triage was still running, job ${JOB_ID}. The cloud is not responding; the job continues when the cloud runs. ${FOLLOW}`;

  const RESPONDS_AGAIN = 'Its job continues once the cloud responds again';

  it.each<[of: string, make: () => FakeStudio, asked: string, told: string, lose?: (of: FakeStudio) => void]>(
    [
      ['whose job goes on', withRun, 'Its job continues, but its callbacks stop.', STILL],
      ['whose cloud is away', withRun, RESPONDS_AGAIN, RESPONDS_NOT, of => of.fail('getJob', AWAY)],
      ['whose cloud does not answer', withRun, RESPONDS_AGAIN, RESPONDS_NOT, of => void of.hold('getJob')],
      [
        'that is still at its callbacks',
        () => withRun({ status: 'completed' }),
        'Its job has ended; quitting stops its callbacks. Quit?',
        `Training of triage was stopped, job ${JOB_ID}, but the job had already ended.`,
      ],
      [
        'without a job',
        () => fakeStudio({ train: { ...going, jobId: null } }),
        'A run is in progress but has no job yet. Quitting stops it. Quit?',
        'Training of triage was stopped before its job was created.',
      ],
    ],
  )('asks first during a run %s, and says what it leaves behind', async (_of, make, asked, told, lose) => {
    const studio = make();
    const dashboard = await openDashboard({ studio });
    await dashboard.shows('running');
    lose?.(studio);
    await dashboard.press('q').shows(asked, 'Quit?', 'y yes');
    await dashboard.press('n');
    expect(dashboard.isLeft).toBe(false);
    await dashboard.press('q').shows(asked);
    await dashboard.resize(60, 20).shows('Quit?', 'y yes');
    await dashboard.press('y');
    expect(dashboard.isLeft).toBe(true);
    expect(dashboard.summary()).toBe(told);
  });

  it('promises nothing of a cloud that was found away before, too, when there is no time to ask', async () => {
    const studio = withRun();
    const { press, leave, summary } = await openDashboard({ studio });
    studio.fail('listJobs', AWAY);
    await press('2').shows('cloud unreachable');
    leave();
    expect(summary()).toContain('The cloud is not responding');
  });

  it('does not wait for a Studio that does not answer', async () => {
    const dashboard = await openDashboard();
    dashboard.studio.hold('getTrainStatus');
    await dashboard.press('q');
    expect(dashboard.isLeft).toBe(false);
    await dashboard.press('q');
    expect(dashboard.isLeft).toBe(true);
  });

  it('says how the run ended', async () => {
    const studio = fakeStudio({ train: { ...going, running: false, exitCode: 3 } });
    const { shows, press, summary } = await openDashboard({ studio });
    await shows('exited with code 3');
    await press('q');
    expect(summary()).toBe(`Training of triage exited with code 3, job ${JOB_ID}.`);
  });

  it('is done from within a text by Ctrl-C only', async () => {
    const dashboard = await openDashboard();
    await dashboard.press('2', '/', 'q');
    expect(dashboard.isLeft).toBe(false);
    await dashboard.press('ctrl-c');
    expect(dashboard.isLeft).toBe(true);
  });
});

describe('the command line', () => {
  it('runs a command as its arguments, and shows what it prints and how it ends', async () => {
    const ran: (readonly string[])[] = [];
    const { press, shows } = await openDashboard({
      async runCommand(args, { write, columns }) {
        ran.push(args);
        write(`\u001b[1mNAME\u001b[0m of ${columns} columns\nrow\n`);
        return 3;
      },
    });
    await press(':', 'svc jobs show "a b" $HOME | cat', 'enter');
    await shows('svc jobs show a b', 'NAME of 96 columns', 'row', 'Exited with code 3.');
    expect(ran).toEqual([['jobs', 'show', 'a b', '$HOME', '|', 'cat']]);
    await press('escape').shows('Training');
  });

  it('says what is wrong with it, and leaves it to be mended', async () => {
    const { press } = await openDashboard({ runCommand: async () => 0 });
    await press(':', "jobs 'x", 'enter').shows("Missing closing '.", ":svc jobs 'x");
    await press('ctrl-u', 'dev', 'enter').shows('svc dev needs its own terminal.');
    await press('escape').hides(':svc');
  });

  it('ends the command when one leaves it', async () => {
    let ended = false;
    const { press } = await openDashboard({
      async runCommand(_args, { signal }) {
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
        ended = true;
        throw new Error('never seen');
      },
    });
    await press(':', 'jobs wait x', 'enter').shows('Running…');
    await press('escape');
    expect(ended).toBe(true);
  });

  it('goes on while the terminal is too small', async () => {
    const signals: AbortSignal[] = [];
    const { press, resize } = await openDashboard({
      async runCommand(_args, { write, signal }) {
        signals.push(signal);
        write(`run ${signals.length}`);
        return new Promise<number>(() => {});
      },
    });
    await press(':', 'jobs wait x', 'enter').shows('run 1', 'Running…');
    await resize(39, 15).shows('too small').hides('run 1');
    await resize(100, 30).shows('run 1', 'Running…');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('is not there unless it was asked for', async () => {
    const { press } = await openDashboard();
    await press(':').hides(':svc', ': command');
    await press('?')
      .shows('Keys')
      .hides(/Run an svc command|Command line/);
  });
});
