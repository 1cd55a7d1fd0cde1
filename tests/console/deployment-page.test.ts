import { describe, expect, it } from 'vitest';
import {
  deploymentPages,
  deploymentSettings,
  deploymentTable,
  displayWidth,
  issuedKeyRows,
  keySpans,
  languageTabs,
  type Span,
  sampleRows,
  spansWidth,
  unicodeGlyphs,
} from '../../lib/console/index.js';
import { sampleDeployment, sampleKey } from '../support/samples.js';

const textOf = (spans: readonly Span[]) => spans.map(({ text }) => text).join('');

describe('the table of endpoints', () => {
  const broken = sampleDeployment({ problem: 'Its adapter is damaged.' });

  it.each([
    [120, 1],
    [119, 2],
    [80, 2],
    [79, 3],
    [40, 3],
  ])('has all of each at %d columns, in %d rows', (width, count) => {
    const table = deploymentTable([broken], width, unicodeGlyphs);
    const rows = table.rows(broken);
    expect([table.rowsEach, rows.length]).toEqual([count, count]);
    const text = rows.map(textOf).join('\n');
    for (const part of ['demo.d.example.com', 'Final adapter (job 1a2b3c4d)', 'fixed_api_key', '● enabled'])
      expect(text).toContain(part);
    expect(text).toContain('✗ cannot serve');
    for (const row of rows) expect(spansWidth(row)).toBeLessThanOrEqual(width);
    expect(displayWidth(table.titles)).toBeLessThanOrEqual(width);
  });

  it.each([
    [140, 1],
    [120, 2],
    [80, 2],
    [79, 3],
    [60, 3],
    [50, 4],
  ])('shows the host whole at %d columns, in %d rows', (width, count) => {
    const long = sampleDeployment({ url: `https://${'a'.repeat(45)}.example.com` });
    const { rowsEach, rows } = deploymentTable([broken, long], width, unicodeGlyphs);
    expect(rowsEach).toBe(count);
    expect(rows(broken)).toHaveLength(count);
    const text = rows(long)
      .map(row => textOf(row).trim())
      .join('');
    expect(text).toContain(`${'a'.repeat(45)}.example.com`);
    for (const row of rows(long)) expect(spansWidth(row)).toBeLessThanOrEqual(width);
  });

  it('has its titles above what they say', () => {
    const { titles, rows } = deploymentTable([broken], 120, unicodeGlyphs);
    const row = textOf(rows(broken)[0]!);
    const pairs = ['Endpoint demo.d', 'Target Final', 'Auth fixed', 'State ●'].map(pair => pair.split(' '));
    for (const [title, text] of pairs) expect(row.indexOf(text!), title).toBe(titles.indexOf(title!));
  });
});

describe('the page of an endpoint', () => {
  it.each([
    [110, 10, 1],
    [109, 10, 2],
    [110, 9, 2],
    [60, 4, 2],
    [60, 3, 3],
  ])('has all of its parts at %d columns and %d rows, on %d pages', (width, below, count) => {
    const pages = deploymentPages(width, below);
    expect(pages).toHaveLength(count);
    expect(pages.flat()).toEqual(['settings', 'keys', 'sample']);
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

  it('shows a new key whole, and that it is shown only now', () => {
    const plaintext = 'svc_live_0123456789abcdefghijABCDEFGHIJ';
    const rows = issuedKeyRows({ plaintext }, 20).map(textOf);
    expect(rows.join('')).toContain(plaintext);
    expect(rows.join(' ')).toContain('It will not be shown again.');
    for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(20);
  });

  it('strikes a revoked key through', () => {
    const key = sampleKey({ label: 'ci' });
    const [live, revoked] = [true, false].map(enabled => keySpans({ ...key, enabled }, 60, unicodeGlyphs));
    expect(textOf(live!)).toMatch(/^ci +svc_live.*… +● live$/);
    expect(textOf(revoked!)).toMatch(/○ revoked$/);
    expect(revoked![0]!.style).toMatchObject({ strike: true });
  });

  it('has the sample within its width, and the other languages where there is room', () => {
    const rows = sampleRows(sampleDeployment(), 'python', 30);
    expect(rows.join('')).toContain('print(completion.choices[0].message.content)');
    for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(30);
    expect(textOf(languageTabs('python', 48))).toBe(' cURL  Python  JavaScript ');
    expect(textOf(languageTabs('python', 47))).toBe(' Python ');
  });
});
