import { describe, expect, it } from 'vitest';
import { createMapTeller, createUploadTeller } from '../../../cli/commands/start/upload-text.js';
import { createScreen } from '../../../cli/commands/terminal/screen.js';
import type { UploadProgress } from '../../../lib/sdk/index.js';

const TOTAL = 2_000_000_000;
const at = (done: number, stage: UploadProgress['stage'] = 'sending', problem?: string): UploadProgress => ({
  name: 'rows.jsonl',
  stage,
  done,
  total: TOTAL,
  ...(problem && { problem }),
});

function tell(events: readonly UploadProgress[], columns?: number) {
  const notes: string[] = [];
  const drawn: string[] = [];
  const output = { write: () => true, isTTY: true, columns: columns ?? 80 };
  const bar = {
    draw: (line: string) => void drawn.push(line),
    screen: createScreen(output, { NO_COLOR: '1' }),
  };
  const onUpload = createUploadTeller(line => notes.push(line), columns ? bar : undefined);
  for (const event of events) onUpload(event);
  return { notes, drawn };
}

const whole = [
  at(TOTAL / 2, 'reading'),
  ...Array.from({ length: 101 }, (_, i) => at((i * TOTAL) / 100)),
  at(TOTAL, 'counting'),
];

describe('the upload of a large file', () => {
  it('is a line for each quarter where lines stay', () => {
    expect(tell(whole).notes).toEqual([
      'Uploading rows.jsonl (2 GB).',
      'Uploaded 25 % of rows.jsonl.',
      'Uploaded 50 % of rows.jsonl.',
      'Uploaded 75 % of rows.jsonl.',
      'Uploaded rows.jsonl; the cloud counts its rows.',
    ]);
  });

  it('is a bar on a terminal, which fits its width', () => {
    const { notes, drawn } = tell(whole, 80);
    expect(notes).toHaveLength(2);
    expect(drawn[0]).toBe(`${'█'.repeat(15)}${'░'.repeat(15)}  Reading rows.jsonl  1 GB of 2 GB`);
    expect(drawn[26]).toContain('Uploading rows.jsonl  500 MB of 2 GB');
    expect(drawn.at(-1)).toBe('Counting the rows of rows.jsonl');
    for (const columns of [8, 20, 40, 50])
      for (const line of tell(whole, columns).drawn) expect(line.length).toBeLessThan(columns);
  });

  it('says where it continues, and that the cloud already has it', () => {
    expect(tell([at(TOTAL * 0.4), at(TOTAL, 'counting')]).notes[0]).toBe(
      'Continuing the upload of rows.jsonl at 40 % of 2 GB.',
    );
    expect(tell([at(0, 'reading'), at(TOTAL), at(TOTAL, 'counting')]).notes).toEqual([
      'The cloud already has rows.jsonl (2 GB).',
    ]);
  });

  it('says once that it was interrupted, and that it goes on', () => {
    const lost = at(TOTAL / 2, 'sending', 'Cannot reach the cloud.');
    expect(tell([at(0), at(TOTAL / 2), lost, lost, at(TOTAL / 2), at(TOTAL, 'counting')]).notes).toEqual([
      'Uploading rows.jsonl (2 GB).',
      'Uploaded 50 % of rows.jsonl.',
      '! The upload of rows.jsonl was interrupted: Cannot reach the cloud. Trying again.',
      'The upload of rows.jsonl continues at 50 %.',
      'Uploaded rows.jsonl; the cloud counts its rows.',
    ]);
  });
});

it('the map of a data set counts rows on a terminal, and says what it left out', () => {
  const notes: string[] = [];
  const drawn: string[] = [];
  const output = { write: () => true, isTTY: true, columns: 30 };
  const bar = { draw: (line: string) => void drawn.push(line), screen: createScreen(output, {}) };
  const onMap = createMapTeller(line => notes.push(line), bar);
  onMap({ name: 'rows.jsonl', rows: 170_000, dropped: 1, isDone: false });
  onMap({ name: 'rows.jsonl', rows: 600_000, dropped: 6000, isDone: true });
  expect(drawn).toEqual(['Mapping rows.jsonl: 170,000 r']);
  expect(notes).toEqual(['`map` left out 6,000 of 600,000 rows of rows.jsonl.']);
});
