import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { type FakeStudio, fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

describe('what is always in view', () => {
  it('is who one is, where Studio is, the four places, the cloud and what keys do', async () => {
    const dashboard = await openDashboard({ size: { columns: 80, rows: 24 } });
    for (const place of ['1', '2', '3', '4']) {
      await dashboard.press(place);
      await dashboard.shows(
        'anonymous · acme / demo-1a2b · local',
        'http://localhost:4000',
        /1 Overview +2 Jobs +3 Playground +4 Endpoints/,
        'cloud',
        /\? help +q quit/,
      );
    }
  });

  it('shortens the address, and only then names no place but the one that one is in', async () => {
    const studio = fakeStudio({ jobs: [jobSummary()] });
    const dashboard = await openDashboard({ studio, size: { columns: 70, rows: 20 } });
    await dashboard.shows(/1 Overview +2 Jobs +3 Playground +4 Endpoints +localhost:4000$/m);
    await dashboard.resize(60, 20);
    await dashboard.shows(/1 Overview +2 Jobs +3 Playground +4 Endpoints +:4000$/m);
    await dashboard.resize(40, 15);
    for (const [keys, named] of [
      ['1', '1 Overview   2   3   4'],
      ['2', '1   2 Jobs   3   4'],
      ['3', '1   2   3 Playground   4'],
      ['4', '1   2   3   4 Endpoints'],
    ] as const) {
      await dashboard.press(keys);
      expect(
        dashboard
          .lines()[1]!
          .replace(/ +(localhost)?:4000 *$/, '')
          .trim()
          .replace(/ {3,}/g, '   '),
      ).toBe(named);
    }
  });

  it('has the jobs as the place of one of them', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }) });
    await dashboard.press('2', 'enter');
    await dashboard.shows('Event log', /1 Overview +2 Jobs +3 Playground +4 Endpoints/);
    expect(dashboard.styleOf(' 2 Jobs ')).toBe('bold inverse');
    for (const other of [' 1 Overview ', ' 3 Playground ', ' 4 Endpoints '])
      expect(dashboard.styleOf(other)).toBe('');
  });

  it('leaves out of the identity what is not known', async () => {
    const studio = fakeStudio();
    studio.world.identity = { ...studio.world.identity, projectSlug: null, cloudHost: null };
    const dashboard = await openDashboard({ studio });
    await dashboard.shows(/anonymous · acme +○ cloud linked/);
  });

  it('counts the cloud as asked once it is known who one is, and asks it nothing for that', async () => {
    const studio = fakeStudio();
    const release = studio.hold('getIdentity');
    const dashboard = await openDashboard({ studio });
    await dashboard.shows('○ checking cloud…');
    release();
    await dashboard.shows('○ cloud linked');
    // The overview asks for what it shows.
    const own = ['getIdentity', 'getManifest', 'getTrainStatus', 'getOverview'];
    expect(new Set(studio.calls)).toEqual(new Set(own));
  });

  it('says why it is not known who one is', async () => {
    const studio = fakeStudio();
    studio.fail('getIdentity', new ApiError('credentials_invalid', 'The credentials file cannot be parsed.'));
    const dashboard = await openDashboard({ studio });
    await dashboard.shows('identity unknown', 'The credentials file cannot be parsed.');
    await dashboard.press('2');
    await dashboard.shows('The credentials file cannot be parsed.');
  });

  it('tells a cloud that is away from a Studio that is gone', async () => {
    const dashboard = await openDashboard();
    dashboard.studio.fail('listJobs', new ApiError('cloud_unreachable', 'away'));
    await dashboard.press('2');
    await dashboard.shows('✗ cloud unreachable');
    dashboard.studio.fail('listJobs', new ApiError('studio_unreachable', 'gone'));
    await dashboard.press('r');
    await dashboard.shows('✗ Studio stopped');
    dashboard.studio.fail('listJobs');
    await dashboard.press('r');
    await dashboard.shows('● cloud up');
  });

  it('has who one is whole in a small terminal, and what is wrong with the cloud in two rows', async () => {
    const studio = fakeStudio();
    studio.world.identity = {
      ...studio.world.identity,
      orgSlug: 'anon-4f2a',
      projectSlug: 'support-bot-1f2e',
    };
    const dashboard = await openDashboard({ studio, size: { columns: 60, rows: 20 } });
    await dashboard.press('2');
    await dashboard.shows(/anonymous · anon-4f2a \/ support-bot-1f2e · local +● *\n/);
    const told =
      'The local cloud was stopped. Run "svc cloud start" to start it again; its jobs will continue.';
    studio.fail('listJobs', new ApiError('cloud_unreachable', told));
    await dashboard.press('r');
    await dashboard.shows(/"svc cloud start" to *\n +start it again; its jobs will continue\./, '✗ no cloud');
  });

  it('asks once who one is, and again when a first call may have made a project', async () => {
    const studio = fakeStudio();
    studio.world.identity = { ...studio.world.identity, projectSlug: null };
    const dashboard = await openDashboard({ studio });
    await dashboard.shows('anonymous');
    expect(studio.count('getIdentity')).toBe(1);
    studio.world.identity = { ...studio.world.identity, projectSlug: 'fresh-9f' };
    await dashboard.press('4', 'n', 'one', 'tab', 'left', 'ctrl-s');
    await dashboard.shows('acme / fresh-9f');
    await dashboard.press('r', '3', '1');
    expect(studio.count('getIdentity')).toBe(2);
  });
});

describe('going about', () => {
  it('goes back where one came from', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }) });
    await dashboard.press('4', '2', 'enter');
    await dashboard.shows('Event log');
    await dashboard.press('escape');
    await dashboard.shows('1 job');
    await dashboard.press('escape');
    await dashboard.shows('No endpoints yet');
    await dashboard.press('escape');
    await dashboard.shows('Training');
  });

  it('takes several keys that come at once', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }) });
    await dashboard.press('2/zebra');
    await dashboard.shows('/zebra', 'No matches');
    await dashboard.press('\u0015triage\r\r');
    await dashboard.shows('Event log');
  });

  it('opens the browser at the same place', async () => {
    const opened: string[] = [];
    const openBrowser = async (url: string) => {
      opened.push(url);
      return opened.length > 1 ? 'no display found' : null;
    };
    const studio = fakeStudio({ jobs: [jobSummary()] });
    const dashboard = await openDashboard({ studio, openBrowser });
    await dashboard.press('2', 'enter', 'o');
    await dashboard.shows('Opened in the browser.');
    expect(opened).toEqual([`http://localhost:4000/#/jobs/${JOB_ID}`]);
    await dashboard.resize(60, 20);
    await dashboard.press('o');
    // Told in full, on as many rows as it takes.
    await dashboard.shows('Could not open a browser: no display found. Open', 'yourself.');
    expect(dashboard.lines().join('').replaceAll(' ', '')).toContain(`/#/jobs/${JOB_ID}yourself.`);
  });
});

describe('a dashboard without a browser app', () => {
  it('names no address, and offers no browser', async () => {
    const dashboard = await openDashboard({ studioUrl: null, openBrowser: async () => null });
    await dashboard.shows('1 Overview', 'r refresh');
    expect(dashboard.frame()).not.toMatch(/http:|o browser/);
    await dashboard.press('o');
    await dashboard.hides('Opened in the browser.');
  });

  it('can begin at a job, and goes back to all of them', async () => {
    const studio = fakeStudio({ jobs: [jobSummary()] });
    const dashboard = await openDashboard({ studio, start: { tab: 'jobs', id: JOB_ID } });
    await dashboard.shows('Event log', JOB_ID);
    await dashboard.press('escape');
    await dashboard.shows('1 job');
    expect(studio.count('getManifest')).toBe(0);
  });
});

describe('help', () => {
  it('lists the keys of where one is first, scrolls, and closes', async () => {
    const dashboard = await openDashboard({ size: { columns: 80, rows: 24 } });
    await dashboard.press('2', '?');
    await dashboard.shows('Keys', '/', 'Search names and IDs');
    await dashboard.press('G');
    await dashboard.shows('Yes');
    await dashboard.press('escape');
    await dashboard.shows('No jobs yet');
  });
});

describe('quitting', () => {
  const going = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };
  const withRun = (job: Parameters<typeof jobSummary>[0] = { status: 'running' }) =>
    fakeStudio({ train: going, jobs: [jobSummary(job)] });

  it.each(['q', 'ctrl-c'])('is done at once by %s when nothing runs', async key => {
    const dashboard = await openDashboard({ logFile: '/tmp/svc.log' });
    await dashboard.shows('Run training');
    await dashboard.press(key);
    expect(dashboard.isLeft).toBe(true);
    expect(dashboard.summary()).toBe('No training was started. Log: /tmp/svc.log');
  });

  it('asks while a run is going, and says what it leaves behind', async () => {
    const dashboard = await openDashboard({ studio: withRun(), logFile: '/tmp/svc.log' });
    await dashboard.shows('running');
    await dashboard.press('q');
    await dashboard.shows('Its job continues, but its callbacks stop. Quit?');
    await dashboard.press('n');
    expect(dashboard.isLeft).toBe(false);
    await dashboard.resize(60, 20);
    await dashboard.press('q');
    await dashboard.shows('A run is in progress.', 'Quit?', 'y yes');
    await dashboard.press('y');
    expect(dashboard.isLeft).toBe(true);
    expect(dashboard.summary()).toBe(
      `Training of triage is still running, job ${JOB_ID}. Follow it with "svc jobs logs ${JOB_ID} --follow". Log: /tmp/svc.log`,
    );
  });

  const away = (studio: FakeStudio) => studio.fail('getJob', new ApiError('cloud_unreachable', 'away'));
  const silent = (studio: FakeStudio) => void studio.hold('getJob');

  it.each([
    ['is away', away],
    ['does not answer', silent],
  ])('does not promise that a job goes on whose cloud %s', async (_how, lose) => {
    const studio = withRun();
    const dashboard = await openDashboard({ studio, size: { columns: 80, rows: 24 } });
    await dashboard.shows('running');
    lose(studio);
    await dashboard.press('q');
    await dashboard.shows('Its job continues once the cloud responds again', 'Quit?');
    await dashboard.press('y');
    expect(dashboard.isLeft).toBe(true);
    expect(dashboard.summary()).toBe(
      `Training of triage was still running, job ${JOB_ID}. The cloud is not responding; the job continues when the cloud runs. Follow it with "svc jobs logs ${JOB_ID} --follow".`,
    );
  });

  it('says so too when there is no time to ask, but the cloud was found away before', async () => {
    const studio = withRun();
    const dashboard = await openDashboard({ studio });
    studio.fail('listJobs', new ApiError('cloud_unreachable', 'away'));
    await dashboard.press('2');
    await dashboard.shows('cloud unreachable');
    dashboard.leave();
    expect(dashboard.summary()).toContain('The cloud is not responding');
  });

  it('says that a job has ended whose run is still at its callbacks', async () => {
    const dashboard = await openDashboard({ studio: withRun({ status: 'completed' }) });
    await dashboard.shows('running');
    await dashboard.press('q');
    await dashboard.shows('Its job has ended; quitting stops its callbacks. Quit?');
    await dashboard.press('y');
    expect(dashboard.summary()).toBe(
      `Training of triage was stopped, job ${JOB_ID}, but the job had already ended.`,
    );
  });

  it('says that nothing goes on of a run without a job', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio({ train: { ...going, jobId: null } }) });
    await dashboard.shows('running');
    await dashboard.press('q');
    await dashboard.shows('A run is in progress but has no job yet. Quitting stops it. Quit?');
    await dashboard.press('y');
    expect(dashboard.summary()).toBe('Training of triage was stopped before its job was created.');
  });

  it('takes a second Ctrl-C for a yes', async () => {
    const dashboard = await openDashboard({ studio: withRun() });
    await dashboard.press('ctrl-c', 'ctrl-c');
    expect(dashboard.isLeft).toBe(true);
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
    const dashboard = await openDashboard({ studio });
    await dashboard.shows('exited with code 3');
    await dashboard.press('q');
    expect(dashboard.summary()).toBe(`Training of triage exited with code 3, job ${JOB_ID}.`);
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
    const dashboard = await openDashboard({
      async runCommand(args, { write, columns }) {
        ran.push(args);
        write(`\u001b[1mNAME\u001b[0m of ${columns} columns\nrow\n`);
        return 3;
      },
    });
    await dashboard.press(':', 'svc jobs show "a b" $HOME | cat', 'enter');
    await dashboard.shows('svc jobs show a b', 'NAME of 96 columns', 'row', 'Exited with code 3.');
    expect(ran).toEqual([['jobs', 'show', 'a b', '$HOME', '|', 'cat']]);
    await dashboard.press('escape');
    await dashboard.shows('Training');
  });

  it('says what is wrong with it, and leaves it to be mended', async () => {
    const dashboard = await openDashboard({ runCommand: async () => 0 });
    await dashboard.press(':', "jobs 'x", 'enter');
    await dashboard.shows("Missing closing '.", ":svc jobs 'x");
    await dashboard.press('ctrl-u', 'dev', 'enter');
    await dashboard.shows('svc dev needs its own terminal.');
    await dashboard.press('escape');
    await dashboard.hides(':svc');
  });

  it('ends the command when one leaves it, and shows why one could not run', async () => {
    let ended = false;
    const dashboard = await openDashboard({
      async runCommand(_args, { signal }) {
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
        ended = true;
        throw new Error('never seen');
      },
    });
    await dashboard.press(':', 'jobs wait x', 'enter');
    await dashboard.shows('Running…');
    await dashboard.press('escape');
    expect(ended).toBe(true);
  });

  it('is not there unless it was asked for', async () => {
    const dashboard = await openDashboard();
    await dashboard.press(':');
    await dashboard.hides(':svc', ': command');
    await dashboard.press('?');
    await dashboard.shows('Keys');
    expect(dashboard.frame()).not.toMatch(/Run an svc command|Command line/);
  });
});
