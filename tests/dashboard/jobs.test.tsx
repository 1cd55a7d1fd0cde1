import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatLocalTime } from '../../lib/console/index.js';
import { ApiError, JOB_STATUSES, type JobStatus } from '../../lib/contract/index.js';
import { until } from '../support/until.js';
import { fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { type OpenedDashboard, openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const openJobs = async (jobs = [jobSummary()], size = WIDE) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ jobs }), size });
  await dashboard.press('2');
  return dashboard;
};
const FIVE = JOB_STATUSES.map((status, n) => nthJob(n, { status, name: `the ${status} one` }));
const AWAY = new ApiError('cloud_unreachable', 'Cannot reach the cloud.');

describe('the rows', () => {
  it('have status, name, local date and whole ID, in the order of the answer', async () => {
    const { shows, lines } = await openJobs([...FIVE].reverse());
    const created = formatLocalTime('2026-01-02T03:04:05.000Z');
    await shows(/Status +Name +Created +ID/, '✓ completed  the completed one', created, FIVE[0]!.id);
    const order = lines().flatMap(line => /the (\w+) one/.exec(line)?.[1] ?? []);
    expect(order).toEqual([...JOB_STATUSES].reverse());
  });

  it('show an ID or a date where both have no room, and of the chosen one the other below', async () => {
    const { shows, press } = await openJobs([jobSummary(), nthJob(2)], { columns: 80, rows: 24 });
    await shows(/Status +Name +Created/, `ID ${JOB_ID}`);
    await press('tab').shows(/Status +Name +ID/, nthJob(2).id, /\n Created \d/);
  });

  it('have status and name alone where no more has room, and the rest of the chosen one below', async () => {
    const { shows, press, resize } = await openJobs([jobSummary(), nthJob(2)], { columns: 40, rows: 15 });
    await shows(/Status +Name *\n/, '✓ completed  triage', /\n Created \d/, `\n ID ${JOB_ID}`);
    await press('j').shows(`\n ID ${nthJob(2).id}`);
    // One of the two has room here, and Tab has nothing to turn.
    await resize(50, 20);
    await press('tab').shows(/Status +Name +Created/);
  });

  it('cannot steer the terminal by their names', async () => {
    const { shows, frame } = await openJobs([
      jobSummary({ name: 'evil\u001b[2J\u001b]0;x\u0007name\u202e' }),
    ]);
    await shows('✓ completed  evilname ');
    for (const sign of '\u0007\u001b\u202e') expect(frame()).not.toContain(sign);
  });
});

describe('an empty list', () => {
  it('says that there are no jobs yet, whatever is searched for, or that nothing matches', async () => {
    const empty = await openJobs([]);
    await empty.shows('No jobs yet');
    await empty.press('f', '/', 'zzz').shows('No jobs yet');
    const { press } = await openJobs(FIVE);
    await press('/', 'the', 'enter', 'f').shows('the running one', '1 of 5 jobs');
    await press('/', 'ctrl-u', 'the failed', 'enter').shows('No matches').hides('No jobs yet');
    await press('escape').shows('the running one');
  });

  it('says that it is loading only when it lasts', async () => {
    const studio = fakeStudio({ jobs: [jobSummary()] });
    const release = studio.hold('listJobs');
    const { press, frame, shows } = await openDashboard({ studio });
    await press('2');
    expect(frame()).not.toMatch(/Loading|No jobs yet/);
    await shows('Loading…');
    release();
    await shows('triage');
  });

  it('says what was refused, and only that nothing has loaded while the cloud is away', async () => {
    const studio = fakeStudio();
    studio.fail('listJobs', new ApiError('project_missing', 'Not your project.'));
    const { press, shows, frame } = await openDashboard({ studio, start: { tab: 'jobs', id: null } });
    await shows('✗ Not your project.');
    studio.fail('listJobs', AWAY);
    await press('r').shows('Not loaded yet');
    expect(frame().match(/Cannot reach/g)).toHaveLength(1);
  });

  it('is none of a list that was loaded: what went wrong is told, and what there was goes on to be shown', async () => {
    const { studio, press, shows, frame } = await openJobs();
    await shows('triage');
    studio.fail('listJobs', AWAY);
    await press('r').shows('✗ Cannot reach the cloud.', 'triage', 'cloud unreachable');
    expect(frame().match(/Cannot reach/g)).toHaveLength(1);
    studio.fail('listJobs');
    await press('r').shows('cloud up').hides('Cannot reach the cloud.');
  });
});

describe('searching and filtering', () => {
  it('finds part of a name, an ID or a note, while one types, and takes every key as text', async () => {
    const jobs = [
      jobSummary({ name: 'Alpha' }),
      nthJob(7, { name: 'beta-ALPHA', note: 'Too slow' }),
      nthJob(8),
    ];
    const dashboard = await openJobs(jobs);
    const { press, studio } = dashboard;
    await press('/', 'aLpH').shows('Alpha', 'beta-ALPHA', '2 of 3 jobs').hides('job-8');
    await press('ctrl-u', '00000008-00').shows('job-8', '1 of 3 jobs');
    await press('ctrl-u', 'note:slow').shows('beta-ALPHA', '1 of 3 jobs');
    await press('ctrl-u', 'q1?R').shows('/q1?R', 'No matches');
    expect([dashboard.isLeft, studio.count('startTraining')]).toEqual([false, 0]);
  });

  it('cycles through the six filters, and keeps the one that is on in sight in a small terminal', async () => {
    const { press, styleOf, resize } = await openJobs(FIVE);
    await resize(60, 20).shows(' All 5 Running 1 Completed 1 Queued 1 Failed 1 Cancelled 1');
    await resize(40, 15);
    for (const label of ['Running', 'Completed', 'Queued', 'Failed', 'Cancelled']) {
      await press('f').shows(`the ${label.toLowerCase()} one`, '1 of 5 jobs');
      expect(styleOf(` ${label} 1 `)).toBe('bold inverse');
    }
    await press('f').shows('5 jobs');
    expect(styleOf(' All 5 ')).toBe('bold inverse');
  });

  it('has all six filters in a small terminal, if need be without counts', async () => {
    const many = Array.from({ length: 2000 }, (_, n) => jobSummary({ id: `job-${n}`, status: 'completed' }));
    const { shows } = await openJobs([...FIVE, ...many], { columns: 60, rows: 20 });
    await shows(/ All +Running +Completed +Queued +Failed +Cancelled/);
  });
});

describe('tags, notes and columns', () => {
  const TWO = [
    jobSummary({ name: 'one', tags: ['base', 'v2'], startedAt: '2026-01-02T03:04:05.000Z' }),
    nthJob(2, { tags: ['v2'], bestLoss: 0.125 }),
  ];

  it('filters by tags while one types them', async () => {
    const { shows, press } = await openJobs(TWO);
    await shows('one #base #v2', 'job-2 #v2');
    await press('t', 'base').shows('1 of 2 jobs');
    await press('enter').shows('#base  1 of 2 jobs');
    await press('escape').shows('2 jobs');
  });

  it('shows results, then the settings that vary, in place of dates and IDs', async () => {
    const withSettings = TWO.map((job, index) => ({ ...job, config: { loraR: 8 + index, seed: 0 } }));
    const { press, studio } = await openJobs(withSettings);
    await press('v').shows(/Name +Duration +Final loss +Final eval loss +Best loss/, /job-2 .* 0\.125/);
    expect(studio.count('listJobSettings')).toBe(0);
    await press('v').shows(/Name +loraR/, /one .* 8/, /job-2 .* 9/);
    expect(studio.count('listJobSettings')).toBe(1);
    await press('v').shows(/Name +Created +ID/);
  });

  it.each([
    [60, 20],
    [80, 24],
  ])(
    'shows below what of the chosen one has no column, and no title or filter cut, at %ix%i',
    async (columns, rows) => {
      const bestScore = { name: 'accuracy', value: 0.75, higher: true };
      const scored = TWO.map(job => ({ ...job, loss: 0.5, evalLoss: 0.375, bestEvalLoss: 0.25, bestScore }));
      const { press, shows, lines } = await openJobs([...scored, ...FIVE.slice(3)], { columns, rows });
      await press('v', 'j').shows(
        'Best loss 0.125',
        'Best eval loss 0.25',
        'Best score accuracy 0.75',
        'Created ',
      );
      await shows(`ID ${nthJob(2).id}`, /Final eval loss( 0\.375| *\n)/, 'job-2');
      expect(lines().slice(2, -1).join('\n')).not.toContain('…');
    },
  );

  it('lists the runs of a sweep alone, with what varies and the result, and names the best', async () => {
    const settings = (value: number) => ({ id: JOB_ID, settings: [{ name: 'lora.r', value }] });
    const { press, shows } = await openJobs([
      nthJob(1, { group: settings(16), evalLoss: 0.25 }),
      nthJob(2, { group: settings(8), evalLoss: 0.5 }),
      nthJob(3),
    ]);
    await shows('job-1 lora.r=16');
    await press('s').shows(/Sweep 3f2a9c1e +2 of 2 runs completed +Best +lora\.r=16, final eval loss 0\.25/);
    await shows(/lora\.r +Final eval loss$/m, /├ 16 .*├ 0\.5/, /├ 8 .*├ 0\.25/, /[\u2801-\u28ff]/);
    await shows(/Name +lora\.r +Final eval loss/, /job-1 .* 16 +0\.25 \*/, '2 of 3 jobs');
    await press('s').shows('3 jobs');
    await press('G').hides('s sweep');
  });

  it('renames a job, changes its tags and its note, and says what was refused', async () => {
    const { studio, press } = await openJobs(TWO);
    await press('N', 'ctrl-u', 'enter').shows('A job needs a name.');
    await press('x', 'escape');
    expect(studio.count('updateJob')).toBe(0);
    await press('N', 'ctrl-u', 'trial 1', 'enter').shows('trial 1 #base #v2');
    await press('#', 'ctrl-u', 'kept', 'enter').shows('trial 1 #kept');
    await press('enter').shows('Event log', /Tags +kept/);
    await press('n', 'why it is', 'enter').shows(/Note +why it is/);
    studio.fail('updateJob', AWAY);
    await press('N', 'ctrl-u', 'other', 'enter').shows('Cannot reach the cloud.', 'Name: other');
    studio.fail('updateJob');
    await press('!', 'enter').shows('other!').hides('Name:');
  });

  it('edits a note of several lines, which stay lines, and takes no second answer while it is saved', async () => {
    const { studio, press } = await openJobs([nthJob(1, { note: 'one\r\ntwo\n\nthree' })]);
    await press('n').shows('Note: one⏎two⏎⏎three');
    const release = studio.hold('updateJob');
    await press('!', 'enter', 'enter').shows('The cloud has yet to answer.', 'Note: one');
    expect(studio.count('updateJob')).toBe(1);
    release();
    await until(() => studio.world.jobs[0]!.note).toBe('one\ntwo\n\nthree!');
    await press().hides('Note: one');
  });

  it('edits a note with tabs, which stay, and none of which the field would lose something', async () => {
    const note = 'step\tloss\n10\t0.5';
    const { studio, press } = await openJobs([nthJob(1, { note }), nthJob(2, { note: 'a\u200bb' })]);
    await press('n').shows('Note: step⇥loss⏎10⇥0.5');
    await press('!', 'enter').hides('Note: step');
    expect(studio.world.jobs[0]!.note).toBe(`${note}!`);
    await press('j', 'n').shows('has characters that would be lost here. Edit it in Studio.');
    await press('N').shows('Name: job-2');
  });

  it('edits what is saved then if more is typed while a note is saved', async () => {
    const { studio, press } = await openJobs([nthJob(1, { note: 'one' })]);
    await press('n').shows('Note: one');
    const release = studio.hold('updateJob');
    await press('X', 'enter', 'backspace').shows('Note: one');
    release();
    await until(() => studio.world.jobs[0]!.note).toBe('oneX');
    await press('enter').hides('Note: one');
    expect(studio.world.jobs[0]!.note).toBe('one');
  });

  it('has dates in full, however long they are in a language', async () => {
    const said = vi.spyOn(Date.prototype, 'toLocaleString').mockImplementation(function (this: Date) {
      return new Intl.DateTimeFormat('ko', { dateStyle: 'medium', timeStyle: 'full' }).format(this);
    });
    onTestFinished(() => said.mockRestore());
    const { shows } = await openJobs([nthJob(1)], { columns: 140, rows: 24 });
    await shows(formatLocalTime(nthJob(1).createdAt));
  });
});

const many = Array.from({ length: 10_000 }, (_, n) => nthJob(n));
const chosenIn = async ({ press, copied }: OpenedDashboard) => {
  await press('c').shows('Copied the job ID.');
  return Number(copied.at(-1)!.slice(0, 8));
};

it('a long list moves by rows, by pages and to both ends, no further, and keeps the chosen row in sight', async () => {
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

it('a long list keeps the chosen one when others come before it, and chooses the first when it is gone', async () => {
  const dashboard = await openJobs(many.slice(5, 10));
  expect(await chosenIn(dashboard)).toBe(5);
  await dashboard.press('j', 'j');
  for (const [jobs, chosen] of [
    [many.slice(0, 10), 7],
    [many.slice(0, 5), 0],
  ] as const) {
    dashboard.studio.world.jobs = jobs;
    await dashboard.press('r');
    expect(await chosenIn(dashboard)).toBe(chosen);
  }
});

it('is asked for at once, then every five seconds while it is shown, after a failure too', async () => {
  const { studio, press, pass } = await openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }) });
  await press('2');
  expect(studio.count('listJobs')).toBe(1);
  studio.fail('listJobs', AWAY);
  for (let poll = 2; poll <= 5; poll++) {
    await pass(5000);
    expect(studio.count('listJobs')).toBe(poll);
  }
  await press('1');
  await pass(20_000);
  expect(studio.count('listJobs')).toBe(5);
});

describe('the jobs beside one', () => {
  const openNeighbors = (id: string | null = null) => {
    const jobs = ['running', 'failed', 'completed', 'completed'].map((status, n) =>
      nthJob(n, { status: status as JobStatus }),
    );
    return openDashboard({ studio: fakeStudio({ jobs }), start: { tab: 'jobs', id } });
  };

  it('are opened by [ and ], without a list, too, and Esc goes back to the list', async () => {
    const { press, shows } = await openNeighbors();
    await shows('job-0');
    await press('enter').shows('[] job', nthJob(0).id);
    await press(']').shows('job-1', nthJob(1).id);
    await press(']', '[').shows('job-1', nthJob(1).id);
    await press('escape').shows('4 jobs');
    const alone = await openNeighbors(nthJob(1).id);
    await alone.shows('job-1');
    await alone.press('[').shows('job-0', nthJob(0).id);
    await alone.press('[').shows('This is the first job.');
  });

  it('are those that the list shows, and it is said where they end', async () => {
    const { press, shows } = await openNeighbors();
    await shows('job-0');
    await press('f', 'f').hides('job-1');
    await press('enter').shows(nthJob(2).id);
    await press(']').shows('job-3', nthJob(3).id);
    await press(']').shows('This is the last job.');
    await press('[', '[').shows('This is the first job.', 'job-2');
  });

  it('and the opened one are as they were listed where the cloud went away before', async () => {
    const { studio, press, shows } = await openNeighbors();
    await shows('4 jobs');
    for (const call of ['getJob', 'listJobs'] as const) studio.fail(call, AWAY);
    await press('enter').shows('● running  job-0', 'Not loaded yet');
  });
});
