import { describe, expect, it } from 'vitest';
import { formatLocalTime } from '../../lib/console/index.js';
import { ApiError, JOB_STATUSES } from '../../lib/contract/index.js';
import { fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { type OpenedDashboard, openDashboard } from './support/open-dashboard.js';

const wide = { columns: 120, rows: 40 };
const openJobs = async (jobs = [jobSummary()], size = wide) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ jobs }), size });
  await dashboard.press('2');
  return dashboard;
};
const five = JOB_STATUSES.map((status, n) => nthJob(n, { status, name: `the ${status} one` }));

describe('the rows', () => {
  it('have status, name, local date and whole ID, in this order', async () => {
    const dashboard = await openJobs();
    await dashboard.shows(/Status +Name +Created +ID/);
    await dashboard.shows(`✓ completed  triage`, formatLocalTime('2026-01-02T03:04:05.000Z'), JOB_ID);
  });

  it('come in the order of the answer, each with its status in words', async () => {
    const dashboard = await openJobs([...five].reverse());
    await dashboard.shows('cancelled', 'queued');
    const order = dashboard.lines().flatMap(line => /the (\w+) one/.exec(line)?.[1] ?? []);
    expect(order).toEqual([...JOB_STATUSES].reverse());
  });

  it('show an ID or a date where both have no room, and of the chosen one the other below', async () => {
    const dashboard = await openJobs([jobSummary(), nthJob(2)], { columns: 80, rows: 24 });
    await dashboard.shows(/Status +Name +Created/, `ID ${JOB_ID}`);
    await dashboard.press('tab');
    await dashboard.shows(/Status +Name +ID/, nthJob(2).id, /\n Created \d/);
  });

  it('have status and name alone where no more has room, and the rest of the chosen one below', async () => {
    const dashboard = await openJobs([jobSummary(), nthJob(2)], { columns: 40, rows: 15 });
    await dashboard.shows(/Status +Name *\n/, '✓ completed  triage', /\n Created \d/, `\n ID ${JOB_ID}`);
    await dashboard.press('j');
    await dashboard.shows(`\n ID ${nthJob(2).id}`);
    // One of the two has room here, and Tab has nothing to turn.
    await dashboard.resize(50, 20);
    await dashboard.press('tab');
    await dashboard.shows(/Status +Name +Created/);
  });

  it('cannot steer the terminal by their names', async () => {
    const dashboard = await openJobs([jobSummary({ name: 'evil\u001b[2J\u001b]0;x\u0007name\u202e' })]);
    await dashboard.shows('✓ completed  evilname ');
    for (const sign of '\u0007\u001b\u202e') expect(dashboard.frame()).not.toContain(sign);
  });
});

describe('an empty list', () => {
  it('says that there are no jobs yet, whatever is searched for', async () => {
    const dashboard = await openJobs([]);
    await dashboard.shows('No jobs yet');
    await dashboard.press('f', '/', 'zzz');
    await dashboard.shows('No jobs yet');
  });

  it('says that nothing matches when all is hidden', async () => {
    const dashboard = await openJobs();
    await dashboard.press('/', 'zzz', 'enter');
    await dashboard.shows('No matches');
    await dashboard.press('escape');
    await dashboard.shows('triage');
  });

  it('says that it is loading only when it lasts', async () => {
    const studio = fakeStudio({ jobs: [jobSummary()] });
    const release = studio.hold('listJobs');
    const dashboard = await openDashboard({ studio });
    await dashboard.press('2');
    expect(dashboard.frame()).not.toMatch(/Loading|No jobs yet/);
    await dashboard.shows('Loading…');
    release();
    await dashboard.shows('triage');
  });

  it('says what was refused, and only that nothing has loaded while the cloud is away', async () => {
    const studio = fakeStudio();
    studio.fail('listJobs', new ApiError('project_missing', 'Not your project.'));
    const dashboard = await openDashboard({ studio, start: { tab: 'jobs', id: null } });
    await dashboard.shows('✗ Not your project.');
    studio.fail('listJobs', new ApiError('cloud_unreachable', 'Cannot reach the cloud.'));
    await dashboard.press('r');
    await dashboard.shows('Not loaded yet');
    expect(dashboard.frame().match(/Cannot reach/g)).toHaveLength(1);
  });

  it('says what went wrong, and goes on showing what it had', async () => {
    const dashboard = await openJobs();
    await dashboard.shows('triage');
    dashboard.studio.fail('listJobs', new ApiError('cloud_unreachable', 'Cannot reach the cloud.'));
    await dashboard.press('r');
    await dashboard.shows('✗ Cannot reach the cloud.', 'triage', 'cloud unreachable');
    expect(dashboard.frame().match(/Cannot reach/g)).toHaveLength(1);
    dashboard.studio.fail('listJobs');
    await dashboard.press('r');
    await dashboard.hides('Cannot reach the cloud.');
    await dashboard.shows('cloud up');
  });
});

describe('searching and filtering', () => {
  it('finds part of a name or an ID in any case, while one types', async () => {
    const dashboard = await openJobs([
      jobSummary({ name: 'Alpha' }),
      nthJob(7, { name: 'beta-ALPHA', note: 'Too slow' }),
      nthJob(8),
    ]);
    await dashboard.press('/', 'aLpH');
    await dashboard.shows('Alpha', 'beta-ALPHA', '2 of 3 jobs');
    expect(dashboard.frame()).not.toContain('job-8');
    await dashboard.press('ctrl-u', '00000008-00');
    await dashboard.shows('job-8', '1 of 3 jobs');
    // Literally, and only in names and IDs.
    for (const text of ['.*', 'slow']) {
      await dashboard.press('ctrl-u', text);
      await dashboard.shows('No matches');
    }
    await dashboard.press('ctrl-u', 'note:slow');
    await dashboard.shows('beta-ALPHA', '1 of 3 jobs');
  });

  it('takes every key as text, and no text as keys', async () => {
    const dashboard = await openJobs();
    await dashboard.press('/', 'q1?R');
    await dashboard.shows('/q1?R');
    expect(dashboard.isLeft).toBe(false);
    expect(dashboard.studio.count('startTraining')).toBe(0);
  });

  it('cycles through the six filters, of which one is on', async () => {
    const dashboard = await openJobs(five);
    await dashboard.shows(/All 5 +Running 1 +Completed 1 +Queued 1 +Failed 1 +Cancelled 1/);
    for (const status of ['running', 'completed', 'queued', 'failed', 'cancelled']) {
      await dashboard.press('f');
      await dashboard.shows(`the ${status} one`, '1 of 5 jobs');
    }
    await dashboard.press('f');
    await dashboard.shows('5 jobs');
  });

  it('has all six in a small terminal, if need be without counts', async () => {
    const size = { columns: 60, rows: 20 };
    const few = await openJobs(five, size);
    await few.shows(' All 5 Running 1 Completed 1 Queued 1 Failed 1 Cancelled 1');
    const many = Array.from({ length: 2000 }, (_, n) => jobSummary({ id: `job-${n}`, status: 'completed' }));
    const full = await openJobs([...five, ...many], size);
    await full.shows(/ All +Running +Completed +Queued +Failed +Cancelled/);
  });

  it('keeps the filter that is on in sight', async () => {
    const dashboard = await openJobs(five, { columns: 40, rows: 15 });
    for (const label of ['All', 'Running', 'Completed', 'Queued', 'Failed', 'Cancelled']) {
      expect(dashboard.styleOf(` ${label} 1 `.replace('All 1', 'All 5'))).toBe('bold inverse');
      await dashboard.press('f');
    }
  });

  it('filters what was found, and shows as much when both hide all', async () => {
    const dashboard = await openJobs(five);
    await dashboard.press('/', 'the', 'enter', 'f');
    await dashboard.shows('the running one', '1 of 5 jobs');
    await dashboard.press('/', 'ctrl-u', 'the failed', 'enter');
    await dashboard.shows('No matches');
    expect(dashboard.frame()).not.toContain('No jobs yet');
  });
});

describe('tags, notes and columns', () => {
  const two = [
    jobSummary({ name: 'one', tags: ['base', 'v2'], startedAt: '2026-01-02T03:04:05.000Z' }),
    nthJob(2, { tags: ['v2'], bestLoss: 0.125 }),
  ];

  it('filters by tags while one types them', async () => {
    const dashboard = await openJobs(two);
    await dashboard.shows('one #base #v2', 'job-2 #v2');
    await dashboard.press('t', 'base');
    await dashboard.shows('1 of 2 jobs');
    await dashboard.press('enter');
    await dashboard.shows('#base  1 of 2 jobs');
    await dashboard.press('escape');
    await dashboard.shows('2 jobs');
  });

  it('shows results, then the settings that vary, in place of dates and IDs', async () => {
    const withSettings = two.map((job, index) => ({ ...job, config: { loraR: 8 + index, seed: 0 } }));
    const dashboard = await openJobs(withSettings);
    await dashboard.press('v');
    await dashboard.shows(/Name +Duration +Final loss +Final eval loss +Best loss/, /job-2 .* 0\.125/);
    expect(dashboard.studio.count('listJobSettings')).toBe(0);
    await dashboard.press('v');
    await dashboard.shows(/Name +loraR/, /one .* 8/, /job-2 .* 9/);
    expect(dashboard.studio.count('listJobSettings')).toBe(1);
    await dashboard.press('v');
    await dashboard.shows(/Name +Created +ID/);
  });

  it('shows below what of the chosen one has no column, and no title or filter cut', async () => {
    const score = { name: 'accuracy', value: 0.75, higher: true };
    const scored = two.map(job => ({
      ...job,
      loss: 0.5,
      evalLoss: 0.375,
      bestEvalLoss: 0.25,
      bestScore: score,
    }));
    for (const [columns, rows] of [
      [60, 20],
      [80, 24],
    ] as const) {
      const dashboard = await openJobs([...scored, ...five.slice(3)], { columns, rows });
      await dashboard.press('v', 'j');
      await dashboard.shows(
        /Best loss 0\.125/,
        /Best eval loss 0\.25/,
        /Best score accuracy 0\.75/,
        'Created ',
      );
      await dashboard.shows(`ID ${nthJob(2).id}`, /Final eval loss( 0\.375| *\n)/, 'job-2');
      expect(dashboard.lines().slice(2, -1).join('\n')).not.toContain('…');
    }
  });

  it('lists the runs of a sweep alone, with what varies and the result, and names the best', async () => {
    const settings = (value: number) => ({ id: JOB_ID, settings: [{ name: 'lora.r', value }] });
    const dashboard = await openJobs([
      nthJob(1, { group: settings(16), evalLoss: 0.25 }),
      nthJob(2, { group: settings(8), evalLoss: 0.5 }),
      nthJob(3),
    ]);
    await dashboard.shows('job-1 lora.r=16');
    await dashboard.press('s');
    await dashboard.shows(/Sweep 3f2a9c1e +2 of 2 runs completed +Best +lora\.r=16, final eval loss 0\.25/);
    await dashboard.shows(/lora\.r +Final eval loss$/m, /├ 16 .*├ 0\.5/, /├ 8 .*├ 0\.25/, /[\u2801-\u28ff]/);
    await dashboard.shows(/Name +lora\.r +Final eval loss/, /job-1 .* 16 +0\.25 \*/, '2 of 3 jobs');
    await dashboard.press('s');
    await dashboard.shows('3 jobs');
    await dashboard.press('G');
    expect(dashboard.frame()).not.toContain('s sweep');
  });

  it('renames a job, changes its tags and its note, and says what was refused', async () => {
    const dashboard = await openJobs(two);
    await dashboard.press('N', 'ctrl-u', 'trial 1', 'enter');
    await dashboard.shows('trial 1 #base #v2');
    await dashboard.press('#', 'ctrl-u', 'kept', 'enter');
    await dashboard.shows('trial 1 #kept');
    await dashboard.press('enter');
    await dashboard.shows('Event log', /Tags +kept/);
    await dashboard.press('n', 'why it is', 'enter');
    await dashboard.shows(/Note +why it is/);
    dashboard.studio.fail('updateJob', new ApiError('cloud_unreachable', 'Cannot reach the cloud.'));
    await dashboard.press('N', 'ctrl-u', 'other', 'enter');
    await dashboard.shows('Cannot reach the cloud.', 'trial 1');
  });

  it('keeps the field open without a name, and changes nothing on Esc', async () => {
    const dashboard = await openJobs(two);
    await dashboard.press('N', 'ctrl-u', 'enter');
    await dashboard.shows('A job needs a name.');
    await dashboard.press('x', 'escape');
    expect(dashboard.studio.count('updateJob')).toBe(0);
  });
});

describe('a long list', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => nthJob(n));
  const chosenIn = async (dashboard: OpenedDashboard) => {
    await dashboard.press('c');
    return Number(dashboard.copied.at(-1)!.slice(0, 8));
  };

  it('moves by rows, by pages and to both ends, no further, and keeps the chosen row in sight', async () => {
    const dashboard = await openJobs(many, { columns: 80, rows: 24 });
    await dashboard.shows('10,000 jobs');
    const rows = dashboard.lines().filter(line => line.includes('job-')).length;
    const moves: [keys: string[], chosen: number][] = [
      [['k', 'pageup', 'up'], 0],
      [['j', 'down', 'k'], 1],
      [['pagedown', 'pagedown'], 1 + 2 * rows],
      [['ctrl-u'], 1 + rows],
      [['G', 'j', 'pagedown'], 9999],
      [['up'], 9998],
      [['g'], 0],
      [['end'], 9999],
      [['home'], 0],
    ];
    for (const [keys, chosen] of moves) {
      await dashboard.press(...keys);
      expect(await chosenIn(dashboard)).toBe(chosen);
      expect(dashboard.styleOf(`job-${chosen} `)).toBe('inverse');
    }
  });

  it('keeps the chosen one when others come before it, and chooses the first when it is gone', async () => {
    const dashboard = await openJobs(many.slice(5, 10));
    expect(await chosenIn(dashboard)).toBe(5);
    await dashboard.press('j', 'j');
    dashboard.studio.world.jobs = many.slice(0, 10);
    await dashboard.press('r');
    expect(await chosenIn(dashboard)).toBe(7);
    dashboard.studio.world.jobs = many.slice(0, 5);
    await dashboard.press('r');
    expect(await chosenIn(dashboard)).toBe(0);
  });
});

describe('refreshing', () => {
  it('asks at once, then every five seconds while the list is shown, after a failure too', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }) });
    const { studio } = dashboard;
    await dashboard.press('2');
    expect(studio.count('listJobs')).toBe(1);
    studio.fail('listJobs', new ApiError('cloud_unreachable', 'away'));
    for (let poll = 2; poll <= 5; poll++) {
      await dashboard.pass(5000);
      expect(studio.count('listJobs')).toBe(poll);
    }
    await dashboard.press('1');
    await dashboard.pass(20_000);
    expect(studio.count('listJobs')).toBe(5);
  });

  it('draws nothing when nothing changed', async () => {
    const dashboard = await openJobs();
    await dashboard.shows('triage');
    const before = dashboard.frame();
    await dashboard.press('r', 'r');
    expect(dashboard.frame()).toBe(before);
  });
});

it('opens and copies the chosen job, and goes back', async () => {
  const dashboard = await openJobs([jobSummary(), nthJob(2)]);
  await dashboard.press('j', 'c');
  expect(dashboard.copied).toEqual([nthJob(2).id]);
  await dashboard.shows('Copied the job ID.');
  await dashboard.press('enter');
  await dashboard.shows('Event log');
  await dashboard.press('escape');
  await dashboard.shows('2 jobs');
});
