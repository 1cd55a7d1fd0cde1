// What is learned, in the terminal: figures, findings as filters, and rows token by token.
import { describe, expect, it } from 'vitest';
import { fakeStudio } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const open = async (size = { columns: 120, rows: 44 }) => {
  const studio = fakeStudio();
  const start = { tab: 'overview', id: null, data: true } as const;
  const dashboard = await openDashboard({ studio, size, start });
  return { studio, dashboard };
};

describe('what is learned', () => {
  it('opens from the overview with w, with figures, findings and the tokens of the chosen row', async () => {
    const studio = fakeStudio();
    const dashboard = await openDashboard({ studio, size: { columns: 120, rows: 44 } });
    await dashboard.press('w');
    await dashboard.shows('What is learned', 'Alpaca: 8 rows', '18 of 60 tokens are learned (30%)');
    await dashboard.shows('! Cut off: 2 rows', 'train.jsonl:1', 'bug indeed<|im_end|>', '8 rows');
    expect(studio.calls.at(-1)).toBe('previewData {"reload":true,"limit":50,"tokens":true}');
    await dashboard.press('j');
    await dashboard.shows('wish indeed<|im_end|>');
    await dashboard.press('escape');
    await dashboard.shows('1 Overview');
  });

  it('shows only the rows of a finding, one finding after the other', async () => {
    const { dashboard, studio } = await open();
    await dashboard.shows('8 rows');
    await dashboard.press('f');
    await dashboard.shows('Cut off', '2 cut off', '2 rows');
    expect(studio.calls.at(-1)).toContain('"finding":"cut"');
    await dashboard.press('f');
    await dashboard.shows('Repeated', '(see train.jsonl:4)', '1 row');
    await dashboard.press('f', 'f');
    await dashboard.shows('What is learned', '8 rows');
  });

  it('shows the lengths of the rows instead of the chosen one, and the row again', async () => {
    const { dashboard } = await open({ columns: 60, rows: 20 });
    await dashboard.shows('bug indeed<|im_end|>');
    await dashboard.press('t');
    await dashboard.shows('Tokens per row', '8–11', '2 ← limit');
    expect(dashboard.frame()).not.toContain('bug indeed');
    await dashboard.press('t');
    await dashboard.shows('bug indeed<|im_end|>');
  });

  it('tells what is learned, read and cut off apart', async () => {
    const { dashboard } = await open();
    await dashboard.shows('8 rows');
    await dashboard.press('j', 'j');
    await dashboard.shows('I was charged twice.<|im_end|>');
    const looks = ['I was charged twice.<', 'bill', '<|im_start|>', ' indeed', ' indeed<'].map(
      dashboard.styleOf,
    );
    expect(looks.slice(1)).toEqual(['blueBright', 'bold', 'dim strike', 'dim strike']);
  });

  it('measures on request', async () => {
    const { dashboard, studio } = await open();
    await dashboard.shows('8 rows');
    await dashboard.press('m');
    await dashboard.shows('on this machine (1.5 s per step)');
    await dashboard.press('r');
    await dashboard.hides('1.5 s per step');
    studio.fail('previewData', new Error('The disk is full.'));
    await dashboard.press('m');
    await dashboard.shows('The disk is full.');
  });

  it('says what is wrong, and fits a small terminal', async () => {
    const { dashboard, studio } = await open({ columns: 40, rows: 16 });
    await dashboard.shows('train.jsonl:1', '8 rows');
    studio.fail('previewData', new Error('The entry threw.'));
    await dashboard.press('r');
    await dashboard.shows('The entry threw.', 'train.jsonl:1', '8 rows');
    studio.fail('previewData');
    await dashboard.press('r');
    await dashboard.hides('The entry threw.');
    expect(measure(dashboard.frame()).columns).toBeLessThanOrEqual(40);
  });
});
