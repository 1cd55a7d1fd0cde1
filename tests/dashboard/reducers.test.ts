import { describe, expect, it } from 'vitest';
import { notFetched, reduceFetched } from '../../cli/dashboard/core/fetched.js';
import { initialShell, reduceShell, type ShellAction } from '../../cli/dashboard/core/shell-state.js';
import { initialDeployment, reduceDeployment } from '../../cli/dashboard/views/deployment/state.js';
import { fieldsOf, newForm, reduceForm } from '../../cli/dashboard/views/deployments/form-state.js';
import { layOutJob, statisticsPage } from '../../cli/dashboard/views/job/layout.js';
import { chosenJob, initialJobs, type JobsAction, reduceJobs } from '../../cli/dashboard/views/jobs/state.js';
import { hasUnreadRun, initialOverview, reduceOverview } from '../../cli/dashboard/views/overview/state.js';
import {
  chosenTarget,
  initialPlayground,
  reducePlayground,
} from '../../cli/dashboard/views/playground/state.js';
import { JOB_ID, jobSummary, key, nthJob } from './support/fake-studio.js';

describe('what is asked for', () => {
  it('stays while it is asked for again, and when that fails', () => {
    const loaded = reduceFetched<number>(notFetched, { type: 'fetched', value: 1 });
    const refused = reduceFetched(loaded, { type: 'refused', problem: 'no' });
    expect(refused).toEqual({ value: 1, problem: 'no', isSlow: false });
    expect(reduceFetched(refused, { type: 'fetched', value: 1 }).problem).toBeNull();
  });

  it('is the same state when the same came again, and is not slow once it came', () => {
    const loaded = reduceFetched<number>(notFetched, { type: 'fetched', value: 1 });
    expect(reduceFetched(loaded, { type: 'fetched', value: 1 })).toBe(loaded);
    expect(reduceFetched(loaded, { type: 'slow' })).toBe(loaded);
    expect(reduceFetched<number>(notFetched, { type: 'slow' }).isSlow).toBe(true);
  });
});

describe('the shell', () => {
  const apply = (...actions: ShellAction[]) =>
    actions.reduce(reduceShell, initialShell({ columns: 80, rows: 24 }));

  it('remembers where one came from', () => {
    const jobs = { tab: 'jobs', id: null } as const;
    const there = apply(
      { type: 'went', location: jobs },
      { type: 'went', location: { tab: 'jobs', id: JOB_ID } },
    );
    const back = reduceShell(there, { type: 'wentBack' });
    expect(back.location).toEqual(jobs);
    expect(reduceShell(back, { type: 'wentBack' }).location.tab).toBe('overview');
  });

  it('drops a text that is being typed when one goes elsewhere', () => {
    const prompt = { scope: 'search', label: '/', value: '', submit: () => null } as const;
    const typed = apply({ type: 'prompted', prompt }, { type: 'typed', value: 'x' });
    expect(typed.prompt?.value).toBe('x');
    expect(reduceShell(typed, { type: 'went', location: { tab: 'jobs', id: null } }).prompt).toBeNull();
  });
});

describe('the overview', () => {
  const status = { running: true, startedAt: 'a', jobId: null, exitCode: null };

  it('knows a run whose output it has not asked for', () => {
    const seen = reduceOverview(initialOverview, { type: 'status', status });
    expect(hasUnreadRun(seen)).toBe(true);
    const followed = reduceOverview(seen, { type: 'followed', startedAt: 'a' });
    expect(hasUnreadRun(followed)).toBe(false);
    expect(hasUnreadRun(reduceOverview(followed, { type: 'ended' }))).toBe(false);
    expect(hasUnreadRun(reduceOverview(followed, { type: 'refused', problem: 'cut' }))).toBe(true);
  });

  it('is the same state while the status stays the same', () => {
    const seen = reduceOverview(initialOverview, { type: 'status', status });
    expect(reduceOverview(seen, { type: 'status', status: { ...status } })).toBe(seen);
  });
});

describe('the jobs list', () => {
  const jobs = [nthJob(1), jobSummary(), nthJob(2)];
  const apply = (...actions: JobsAction[]) => actions.reduce(reduceJobs, initialJobs);
  const loaded: JobsAction = { type: 'fetch', action: { type: 'fetched', value: jobs } };

  it('chooses the first row, and moves no further than the last', () => {
    expect(chosenJob(apply(loaded))?.name).toBe('job-1');
    expect(chosenJob(apply(loaded, { type: 'move', distance: 9, height: 2 }))?.name).toBe('job-2');
    expect(apply(loaded, { type: 'move', distance: 9, height: 2 }).top).toBe(1);
  });

  it('searches literally', () => {
    expect(apply(loaded, { type: 'search', search: '.*' }).list.placeholder).toBe('No matches');
    expect(apply(loaded, { type: 'search', search: 'TRIAGE' }).list.rows).toHaveLength(1);
  });
});

describe('the playground', () => {
  const fetched = reducePlayground(initialPlayground, {
    type: 'fetch',
    action: { type: 'fetched', value: [nthJob(1, { status: 'failed' }), jobSummary()] },
  });

  it('has no target before it is known who answers', () => {
    expect(chosenTarget(initialPlayground, null)).toBeNull();
    expect(chosenTarget({ ...fetched, mode: 'adapter' }, { baseModel: 'm' })).toBeNull();
    expect(chosenTarget(fetched, { baseModel: 'm' })?.target).toEqual({ kind: 'base_model', baseModel: 'm' });
  });

  it('chooses among completed jobs only', () => {
    const picked = reducePlayground(reducePlayground(fetched, { type: 'pick' }), { type: 'choose' });
    expect(picked).toMatchObject({ mode: 'adapter', jobId: JOB_ID, picker: null });
  });
});

describe('the form', () => {
  it('has the fields that its target needs', () => {
    expect(fieldsOf(newForm)).toEqual(['slug', 'kind', 'jobId', 'authMode', 'create']);
    const kinds = ['checkpoint', 'base_model'] as const;
    const fields = kinds.map(kind => fieldsOf({ draft: { ...newForm.draft, kind } }));
    expect(fields[0]).toContain('step');
    expect(fields[1]).not.toContain('jobId');
  });

  it('goes around its fields', () => {
    expect(reduceForm(newForm, { type: 'focus', distance: -1 }).focus).toBe('create');
    expect(reduceForm(newForm, { type: 'focus', distance: 1 }).focus).toBe('kind');
  });

  it('goes to the first field that is wrong', () => {
    const refused = reduceForm(newForm, { type: 'refused', problems: { jobId: 'which?' }, problem: null });
    expect(refused.focus).toBe('jobId');
    expect(reduceForm(refused, { type: 'typed', field: 'jobId', text: 'x' }).problems).toEqual({});
  });
});

describe('an endpoint', () => {
  const issued = { ...key({ id: 'new' }), plaintext: 'secret' };

  it('forgets the plaintext of a key when one goes elsewhere', () => {
    const shown = reduceDeployment(initialDeployment, { type: 'issued', key: issued });
    expect(shown.issued?.plaintext).toBe('secret');
    expect(JSON.stringify(shown.keys)).not.toContain('secret');
    expect(JSON.stringify(reduceDeployment(shown, { type: 'opened', id: 'd2' }))).not.toContain('secret');
    expect(reduceDeployment(shown, { type: 'forget' }).issued).toBeNull();
  });
});

describe('the layout of a job', () => {
  it('fills the room on every page, with no part cut in half', () => {
    for (let width = 60; width < 200; width += 7) {
      for (let height = 8; height < 60; height++) {
        for (const page of layOutJob(width, height, true)) {
          expect(page.reduce((sum, parts) => sum + parts[0]!.height, 0)).toBe(height);
          for (const parts of page) {
            expect(parts.reduce((sum, part) => sum + part.width, 0)).toBe(width);
            expect(new Set(parts.map(part => part.height)).size).toBe(1);
          }
        }
      }
    }
  });

  it('has every part on some page, and the statistics where they have room', () => {
    const partsAt = (width: number, height: number, isAdvanced: boolean) =>
      new Set(
        layOutJob(width, height, isAdvanced)
          .flat(2)
          .map(({ part }) => part),
      );
    for (const [width, height] of [
      [120, 36],
      [80, 20],
      [60, 11],
    ] as const)
      expect(partsAt(width, height, false)).toEqual(new Set(['chart', 'facts', 'log']));
    expect(partsAt(120, 36, true)).toEqual(new Set(['chart', 'figures', 'log']));
    expect(partsAt(80, 20, true)).toEqual(new Set(['chart', 'figures', 'log']));
    expect(partsAt(60, 20, true)).toEqual(new Set(['chart', 'facts', 'training', 'evaluation', 'log']));
    expect(partsAt(60, 11, true)).toEqual(new Set(['chart', 'facts', 'training', 'evaluation', 'log']));
  });

  it('goes to the statistics', () => {
    expect(statisticsPage(layOutJob(80, 20, true))).toBe(1);
    expect(statisticsPage(layOutJob(60, 11, true))).toBe(3);
    expect(statisticsPage(layOutJob(120, 36, true))).toBe(0);
  });
});
