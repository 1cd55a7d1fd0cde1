// The lines of svc start, apart from a run: about events, an upload, a map, and what a job waits for.
import { describe, expect, it } from 'vitest';
import { createMapReporter, createUploadReporter } from '../../../cli/commands/start/reporter.js';
import { eventText } from '../../../cli/commands/start/text-reporter.js';
import { noProgress } from '../../../cli/commands/training/progress.js';
import { reportWaiting } from '../../../cli/commands/training/waiting.js';
import { createScreen } from '../../../cli/screen.js';
import { displayWidth } from '../../../lib/console/index.js';
import type { RunDevice } from '../../../lib/contract/index.js';
import type { Session, UploadProgress } from '../../../lib/sdk/index.js';
import { sampleJob } from '../../support/samples.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { sample, started } from '../support/job-events.js';

it.each([
  [undefined, 'Resuming training after step 3.'],
  [[6], 'The checkpoint at step 6 was damaged. Resuming training after step 3.'],
  [[9, 6], 'The checkpoints at steps 9, 6 were damaged. Resuming training after step 3.'],
])('a run that is resumed says after which step, and which checkpoints were damaged: %j', (damaged, text) => {
  const event = started({ resumedFromStep: 3, ...(damaged && { damagedCheckpoints: damaged }) });
  expect(eventText(event, noProgress)).toBe(text);
});

it.each<[RunDevice, string]>([
  [{ type: 'cpu' }, 'Resuming training after step 3.'],
  [{ type: 'gpu', name: 'A card' }, 'Resuming training after step 3 on the GPU (A card).'],
  [
    { type: 'cpu', reason: 'The GPU failed: out of memory.' },
    'Resuming training after step 3 on the CPU. The GPU failed: out of memory.',
  ],
])('a run that uses the GPU, or had to leave it, says so: %j', (device, text) => {
  expect(eventText(started({ resumedFromStep: 3, device }), noProgress)).toBe(text);
});

it.each([
  [{ step: 0, answer: 'No\nidea.' }, 'base model  sample 1: No idea.'],
  [{ step: 50, sample: 1 }, 'step 50  sample 2: It is late.'],
  [{ step: 50, sample: 1, answer: null, error: 'Too long.' }, 'step 50  sample 2: not answered: Too long.'],
])('an answer to a sample has a line: %j', (answer, text) => {
  expect(eventText(sample(answer), noProgress)).toBe(text);
});

/** What stays, and what is drawn over where there is a bar. */
function createPaper(columns?: number) {
  const [notes, drawn]: string[][] = [[], []];
  const screen = createScreen({ write: () => true, isTTY: true, columns: columns ?? 80 }, { NO_COLOR: '1' });
  const bar = columns ? { draw: (line: string) => void drawn!.push(line), screen } : undefined;
  return { notes: notes!, drawn: drawn!, note: (line: string) => void notes!.push(line), bar };
}

describe('the upload of a large file', () => {
  const TOTAL = 2_000_000_000;
  const at = (done: number, stage: UploadProgress['stage'] = 'sending', more: { problem?: string } = {}) => ({
    ...{ name: 'rows.jsonl', stage, done, total: TOTAL },
    ...more,
  });
  const counting = at(TOTAL, 'counting');
  const sending = Array.from({ length: 101 }, (_, i) => at((i * TOTAL) / 100));
  const whole = [at(TOTAL / 2, 'reading'), ...sending, counting];

  function tell(events: readonly UploadProgress[], columns?: number) {
    const paper = createPaper(columns);
    events.forEach(createUploadReporter(paper.note, paper.bar));
    return paper;
  }

  it('is a bar on a terminal, which fits its width', () => {
    const { notes, drawn } = tell(whole, 80);
    expect(notes).toHaveLength(2);
    expect(drawn[0]).toBe(`${'█'.repeat(15)}${'░'.repeat(15)}  Reading rows.jsonl  1 GB of 2 GB`);
    expect(drawn[26]).toContain('Uploading rows.jsonl  500 MB of 2 GB');
    expect(drawn.at(-1)).toBe('Counting the rows of rows.jsonl');
    for (const columns of [8, 20, 40, 50])
      for (const line of tell(whole, columns).drawn) expect(line.length).toBeLessThan(columns);
  });

  it('fits with a name of wide letters, too', () => {
    for (const columns of [8, 20, 40, 50])
      for (const { stage, done } of [at(0, 'reading'), at(0), counting]) {
        const { drawn } = tell([{ ...at(done, stage), name: '翻訳データ集.jsonl' }], columns);
        expect(displayWidth(drawn[0]!)).toBeLessThan(columns);
      }
  });

  const lost = at(TOTAL / 2, 'sending', { problem: 'Cannot reach the cloud.' });
  it.each<[string, UploadProgress[], string[]]>([
    [
      'is a line for each quarter where lines stay',
      whole,
      [
        'Uploading rows.jsonl (2 GB).',
        'Uploaded 25 % of rows.jsonl.',
        'Uploaded 50 % of rows.jsonl.',
        'Uploaded 75 % of rows.jsonl.',
        'Uploaded rows.jsonl; the cloud counts its rows.',
      ],
    ],
    [
      'says where it continues',
      [at(TOTAL * 0.4), counting],
      [
        'Continuing the upload of rows.jsonl at 40 % of 2 GB.',
        'Uploaded rows.jsonl; the cloud counts its rows.',
      ],
    ],
    [
      'says that the cloud already has it',
      [at(0, 'reading'), at(TOTAL), counting],
      ['The cloud already has rows.jsonl (2 GB).'],
    ],
    [
      'says once that it was interrupted, and that it goes on',
      [at(0), at(TOTAL / 2), lost, lost, at(TOTAL / 2), counting],
      [
        'Uploading rows.jsonl (2 GB).',
        'Uploaded 50 % of rows.jsonl.',
        '! The upload of rows.jsonl was interrupted: Cannot reach the cloud. Trying again.',
        'The upload of rows.jsonl continues at 50 %.',
        'Uploaded rows.jsonl; the cloud counts its rows.',
      ],
    ],
  ])('%s', (_, events, notes) => expect(tell(events).notes).toEqual(notes));
});

it('the map of a data set counts rows on a terminal, and says what it left out', () => {
  const { notes, drawn, note, bar } = createPaper(30);
  const onMap = createMapReporter(note, bar);
  onMap({ name: 'rows.jsonl', rows: 170_000, dropped: 1, isDone: false });
  onMap({ name: 'rows.jsonl', rows: 600_000, dropped: 6000, isDone: true });
  onMap({ name: '翻訳データ集.jsonl', rows: 170_000, dropped: 1, isDone: false });
  expect(drawn).toEqual(['Mapping rows.jsonl: 170,000…', 'Mapping 翻訳データ集.jsonl:…']);
  expect(notes).toEqual(['`map` left out 6,000 of 600,000 rows of rows.jsonl.']);
});

it('a reason to wait is told after two seconds without an event, once, and again when it is another', async () => {
  const clock = createVirtualClock();
  const job = sampleJob({ status: 'running', waitingFor: 'Waiting for a place.' });
  let asked = 0;
  const client = { getJob: async () => ({ job, asked: asked++ }) };
  const session = { projectClient: async () => client } as unknown as Session;
  const told: string[] = [];
  const teller = reportWaiting(job, session, line => told.push(line), clock);
  await clock.pass(1999);
  expect(asked).toBe(0);
  await clock.pass(1);
  expect([asked, told]).toEqual([1, ['Waiting for a place.']]);
  await clock.pass(6000);
  expect([asked, told.length]).toEqual([4, 1]);
  job.waitingFor = 'the disk is full';
  await clock.pass(2000);
  expect(told.at(-1)).toBe('Waiting: the disk is full');
  teller.noteEvent();
  await clock.pass(2000);
  expect(asked).toBe(5);
  await clock.pass(2000);
  expect([asked, told.at(-1), told.length]).toEqual([6, 'Waiting: the disk is full', 3]);
  teller.stop();
  expect(clock.waiting).toBe(0);
});
