// Endpoints: the form for a new one, their table and page, and the requests that they keep.
import { describe, expect, it } from 'vitest';
import {
  type DeploymentDraft,
  deploymentPages,
  deploymentSettings,
  deploymentTable,
  displayWidth,
  draftField,
  draftFields,
  draftProblems,
  emptyDraft,
  isChosen,
  issuedKeyRows,
  JOB_ID_RULE,
  keepingText,
  keptFigures,
  keptFilterText,
  keptTurns,
  keySpans,
  languageTabs,
  noKeptText,
  type Span,
  sampleRows,
  skippedText,
  spansWidth,
  toCorrection,
  toDeploymentInput,
  toKeptRow,
  unicodeGlyphs,
} from '../../lib/console/index.js';
import { deploymentInput } from '../../lib/contract/index.js';
import { sampleKept } from '../support/sample-kept.js';
import { JOB_ID, sampleDeployment, sampleKey } from '../support/samples.js';

const textOf = (spans: readonly Span[]) => spans.map(({ text }) => text).join('');

describe('the form of an endpoint', () => {
  const draft = (fields: Partial<DeploymentDraft> = {}): DeploymentDraft => ({
    ...emptyDraft,
    slug: 'demo',
    jobId: JOB_ID,
    ...fields,
  });
  const problems = (fields: Partial<DeploymentDraft>, baseModel: string | null = 'svc/tiny') =>
    Object.keys(draftProblems(draft(fields), baseModel));

  it('begins with a final adapter and with keys', () =>
    expect(emptyDraft).toMatchObject({ kind: 'final', authMode: 'fixed_api_key' }));

  it.each<[Partial<DeploymentDraft>, string[], string]>([
    [{}, ['slug', 'kind', 'jobId', 'authMode'], 'Final adapter of a job'],
    [{ kind: 'checkpoint' }, ['slug', 'kind', 'jobId', 'step', 'authMode'], 'Checkpoint of a job'],
    [{ kind: 'base_model' }, ['slug', 'kind', 'authMode'], 'Base model: svc/tiny'],
  ])('%j is entered in the fields %j', (fields, names, target) => {
    const shown = draftFields(draft(fields), 'svc/tiny');
    expect(shown.map(({ name }) => name)).toEqual(names);
    expect(shown.find(({ name }) => name === 'kind')).toMatchObject({ chosen: target, about: 'baseModel' });
    expect(draftFields(draft({ kind: 'base_model' }), null)[1]!.chosen).toBe('Base model: not known yet');
  });

  const notListed = () => Promise.reject(new Error('The jobs were asked for.'));
  const checkpoint = (step: number) => ({
    kind: 'adapter',
    adapter: { kind: 'checkpoint', jobId: JOB_ID, step },
  });
  it.each<[Partial<DeploymentDraft>, object]>([
    [{}, { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } }],
    [{ kind: 'checkpoint', step: '40' }, checkpoint(40)],
    [{ kind: 'checkpoint', slug: ' demo ', jobId: ` ${JOB_ID}\n`, step: ' 7 ' }, checkpoint(7)],
    [
      { kind: 'base_model', jobId: 'left over' },
      { kind: 'base_model', baseModel: 'svc/tiny' },
    ],
  ])('%j makes the target %j', async (fields, target) => {
    expect(problems(fields)).toEqual([]);
    const input = await toDeploymentInput(draft(fields), 'svc/tiny', notListed);
    expect(input).toEqual({ slug: 'demo', target, authMode: 'fixed_api_key' });
    expect(deploymentInput.parse(input)).toEqual(input);
  });

  it.each<[Partial<DeploymentDraft>, string[]]>([
    [{ slug: '' }, ['slug']],
    [{ slug: 'Not a slug' }, ['slug']],
    [{ slug: 'x'.repeat(51) }, ['slug']],
    [{ slug: 'www' }, []],
    [{ jobId: ' ' }, ['jobId']],
    [{ jobId: JOB_ID.slice(0, 8) }, []],
    [{ jobId: `${JOB_ID.slice(0, 8)}x` }, ['jobId']],
    [{ jobId: `${JOB_ID}0` }, ['jobId']],
    [{ jobId: `${JOB_ID.replace('-', '')}00` }, ['jobId']],
    [{ kind: 'checkpoint', step: '' }, ['step']],
    [{ kind: 'checkpoint', step: '1.5' }, ['step']],
    [{ kind: 'checkpoint', step: '-1', jobId: '', slug: '-' }, ['slug', 'jobId', 'step']],
  ])('%j is not sent, because of %j', (fields, wrong) => expect(problems(fields)).toEqual(wrong));

  it('says in words what the ID of a job is, and cannot name an unknown base model', () => {
    const said = ['', 'zebra'].map(jobId => draftProblems(draft({ jobId }), null).jobId);
    expect(said).toEqual(['Enter a job ID.', `Not a valid job ID. ${JOB_ID_RULE}`]);
    expect(problems({ kind: 'base_model' }, null)).toEqual(['baseModel']);
  });

  it('takes the start of the ID of one job', async () => {
    const [other, twin] = [JOB_ID.replace(/^./, 'f'), JOB_ID.replace(/.$/, 'f')];
    const complete = (jobId: string, second = other) =>
      toDeploymentInput(draft({ jobId }), null, async () => [{ id: JOB_ID }, { id: second }]);
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
    expect(await complete(` ${JOB_ID.slice(0, 8).toUpperCase()} `)).toMatchObject({ target });
    await expect(complete('0')).rejects.toMatchObject({ param: 'jobId' });
    await expect(complete(JOB_ID.slice(0, 8), twin)).rejects.toThrow('2 jobs have IDs that start so.');
  });

  it('finds the field that an error speaks of', () => {
    const params = [
      'slug',
      'target.adapter.jobId',
      'target.adapter.step',
      'target.baseModel',
      null,
      'target',
    ];
    expect(params.map(draftField)).toEqual(['slug', 'jobId', 'step', 'baseModel', null, null]);
  });
});

describe('the table of endpoints', () => {
  const broken = sampleDeployment({ problem: 'Its adapter is damaged.' });
  const long = sampleDeployment({ url: `https://${'a'.repeat(45)}.example.com` });

  it('has all of each within any width, in as few rows as that needs', () => {
    const parts = ['demo.d.example.com', 'Final adapter (job 1a2b3c4d)', 'fixed_api_key', '● enabled'];
    const counts = [120, 119, 80, 79, 40].map(width => {
      const { rows, rowsEach, titles } = deploymentTable([broken], width, unicodeGlyphs);
      const text = rows(broken).map(textOf).join('\n');
      for (const part of [...parts, '✗ cannot serve']) expect(text, `at ${width}`).toContain(part);
      const widest = Math.max(...rows(broken).map(spansWidth), displayWidth(titles));
      expect(widest).toBeLessThanOrEqual(width);
      return [rowsEach, rows(broken).length];
    });
    expect(counts).toEqual([1, 2, 2, 3, 3].map(count => [count, count]));
  });

  it('shows the host whole at any width, in as many rows as that needs', () => {
    const counts = [140, 120, 80, 79, 60, 50].map(width => {
      const { rowsEach, rows } = deploymentTable([broken, long], width, unicodeGlyphs);
      const text = rows(long)
        .map(row => textOf(row).trim())
        .join('');
      expect(text, `at ${width}`).toContain(`${'a'.repeat(45)}.example.com`);
      expect(Math.max(...rows(long).map(spansWidth))).toBeLessThanOrEqual(width);
      return [rowsEach, rows(broken).length];
    });
    expect(counts).toEqual([1, 2, 2, 3, 3, 4].map(count => [count, count]));
  });

  it('keeps a long target apart from the auth mode', () => {
    const target = { kind: 'base_model', baseModel: 'x'.repeat(80) } as const;
    const named = sampleDeployment({ target });
    for (const width of [140, 120, 119, 100, 80]) {
      const text = deploymentTable([named], width, unicodeGlyphs).rows(named).map(textOf).join('\n');
      expect(text, `at ${width}`).toContain('x…  fixed_api_key');
    }
  });

  it('has its titles above what they say', () => {
    const { titles, rows } = deploymentTable([broken], 120, unicodeGlyphs);
    const row = textOf(rows(broken)[0]!);
    const pairs = ['Endpoint demo.d', 'Target Final', 'Auth fixed', 'State ●'].map(pair => pair.split(' '));
    for (const [title, text] of pairs) expect(row.indexOf(text!), title).toBe(titles.indexOf(title!));
  });
});

describe('the page of an endpoint', () => {
  it('has all of its parts at any size, on as few pages as that needs', () => {
    const all = ['settings', 'keys', 'sample'];
    const onePage = deploymentPages(110, 10);
    const twoPages = [deploymentPages(109, 10), deploymentPages(110, 9), deploymentPages(60, 4)];
    const threePages = deploymentPages(60, 3);
    for (const pages of [onePage, ...twoPages, threePages]) expect(pages.flat()).toEqual(all);
    expect([onePage, ...twoPages, threePages].map(({ length }) => length)).toEqual([1, 2, 2, 2, 3]);
  });

  it('says what is so and which key changes it; what is long takes two rows', () => {
    const corsOrigins = Array.from({ length: 20 }, (_, n) => `https://app-${n}.example.com`);
    const open = sampleDeployment({ enabled: false, authMode: 'none', corsOrigins });
    expect(deploymentSettings(open, 60).map(textOf)).toEqual([
      ' URL        https://demo.d.example.com/v1/chat/completions',
      ' Target     Final adapter (job 1a2b3c4d)',
      ' State      disabled   calls get 404; e to enable',
      ' Auth mode  none',
      '            anyone with the URL can call it; m to change',
      ' CORS       https://app-0.example.com,',
      '            https://app-1.example.com,…',
    ]);
  });

  it('shows a new key whole, only now, and strikes a revoked one through', () => {
    const plaintext = 'svc_live_0123456789abcdefghijABCDEFGHIJ';
    const rows = issuedKeyRows({ plaintext }, 20).map(textOf);
    expect(rows.join('')).toContain(plaintext);
    expect(rows.join(' ')).toContain('It will not be shown again.');
    expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(20);
    const key = sampleKey({ label: 'ci' });
    const [live, revoked] = [true, false].map(enabled => keySpans({ ...key, enabled }, 60, unicodeGlyphs));
    expect(textOf(live!)).toMatch(/^ci +svc_live.*… +● live$/);
    expect(textOf(revoked!)).toMatch(/○ revoked$/);
    expect(revoked![0]!.style).toMatchObject({ strike: true });
  });

  it('has the sample within its width, and the other languages where there is room', () => {
    const rows = sampleRows(sampleDeployment(), 'python', 30);
    expect(rows.join('')).toContain('print(completion.choices[0].message.content)');
    expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(30);
    const tabs = [48, 47].map(width => textOf(languageTabs('python', width)));
    expect(tabs).toEqual([' cURL  Python  JavaScript ', ' Python ']);
  });

  it.each([
    [{}, null],
    [{ keepRequests: false }, null],
    [{ keepRequests: true, runRetentionDays: 1 }, 'Requests and answers are kept for 1 day.'],
    [
      { keepRequests: true, runRetentionMode: 'unlimited', runRetentionDays: null },
      'Requests and answers are kept.',
    ],
  ] as const)('says that it keeps requests, and for how long: %j', (fields, text) =>
    expect(keepingText(sampleDeployment(fields))).toBe(text),
  );
});

describe('a kept request', () => {
  it('has what was asked last, and the answer with its calls', () => {
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
    const parts = ['Where ', 'is it?'].map(text => ({ type: 'text' as const, text }));
    const request = sampleKept({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: parts },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', content: 'in Rome', tool_call_id: 'call_1' },
      ],
      answer: { content: 'Look:', tool_calls: [call] },
      outcome: 'cut',
    });
    expect(keptFigures(request)).toEqual({
      mark: '',
      question: 'in Rome',
      answer: 'Look:\nlook({})',
      correction: null,
      outcome: 'cut at the maximum length',
      details: 'chat · svc/tiny · 80 ms',
    });
    const turns = keptTurns(request).map(({ role, text }) => `${role}: ${text}`);
    expect(turns).toEqual([
      'system: Be brief.',
      'user: Where is it?',
      'assistant: look({})',
      'tool: in Rome',
    ]);
  });

  it('makes a row with the corrected answer, and none of an answer that is not whole or empty', () => {
    const correction = { content: 'Today.' };
    const asked = { role: 'user', content: 'My parcel is late.' };
    const row = toKeptRow(sampleKept({ mark: 'corrected', correction, outcome: 'aborted' }));
    expect(row).toEqual({ messages: [asked, { role: 'assistant', content: 'Today.' }] });
    const broken = (['cut', 'aborted', 'failed'] as const).map(outcome => sampleKept({ outcome }));
    const rows = [...broken, sampleKept({ answer: { content: ' ' } })].map(toKeptRow);
    expect(rows).toEqual([null, null, null, null]);
  });

  it('makes a row of which only the last answer is learned, whatever was answered before', () => {
    const [asked, again] = ['Where?', 'And now?'].map(content => ({ role: 'user' as const, content }));
    const call = { id: 'c', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
    const called = { role: 'assistant' as const, content: null, tool_calls: [call] };
    const found = { role: 'tool' as const, tool_call_id: 'c', content: 'Rome' };
    const wrong = { role: 'assistant' as const, content: 'In Paris.' };
    const row = toKeptRow(sampleKept({ messages: [asked!, called, found, wrong, again!] }));
    const before = [asked, { ...called, weight: 0 }, found, { ...wrong, weight: 0 }, again];
    expect(row).toEqual({
      messages: [...before, { role: 'assistant', content: sampleKept().answer.content }],
    });
  });

  it.each([
    ['usual', ['good', 'corrected']],
    ['good', ['good']],
    ['corrected', ['corrected']],
    ['all', [null, 'good', 'corrected']],
  ] as const)('is chosen by the mark: %s', (choice, marks) => {
    const chosen = ([null, 'good', 'bad', 'corrected'] as const).filter(mark => isChosen({ mark }, choice));
    expect(chosen).toEqual(marks);
  });

  it('is counted in the list, which says why there is nothing', () => {
    const counts = { all: 1200, good: 3, bad: 2, corrected: 1 };
    const filters = ([undefined, 'none', 'bad'] as const).map(mark => keptFilterText(mark, counts));
    expect(filters).toEqual(['All 1,200', 'Unmarked 1,194', 'Bad 2']);
    expect([noKeptText(undefined), noKeptText('good')]).toEqual(['No requests kept yet', 'No good answers']);
    expect([skippedText(0), skippedText(1)]).toEqual([null, '1 request was too large to keep']);
    expect([toCorrection('  '), toCorrection('x ')]).toEqual([null, { content: 'x ' }]);
  });
});
