// An endpoint's page in a terminal: which part is on which page, and what its settings, a new key and the code sample say.
import type { Deployment, IssuedKey, Key } from '../contract/index.js';
import { breakToWidth, displayWidth } from './display-width.js';
import type { Glyphs } from './glyphs.js';
import { keepingText } from './kept-requests.js';
import { enabledLabel, targetLabel } from './labels.js';
import { offerRows } from './offer.js';
import { LANGUAGES, type Language, OPERATIONS, operationUrl, quickStart } from './quick-start.js';
import { fitText, paragraphRows, type Span, type Style } from './spans.js';

type Part = 'settings' | 'keys' | 'sample';

/** Columns and rows from which on keys and sample stand side by side, below the settings. */
const WIDE = 110;
const LEAST_BESIDE = 10;
/** Rows that the keys take at least below the settings. */
const LEAST_KEYS = 4;
const LABEL = 12;
const MOST_ROWS = 2;

/** What each page has, with so many rows left below the settings. */
export function deploymentPages(width: number, below: number): readonly (readonly Part[])[] {
  if (width >= WIDE && below >= LEAST_BESIDE) return [['settings', 'keys', 'sample']];
  return below >= LEAST_KEYS ? [['settings', 'keys'], ['sample']] : [['settings'], ['keys'], ['sample']];
}

type Setting = readonly [label: string, text: string, style?: Style, note?: string];

/** One to two rows each, or one more where a note has no room beside the text. */
export function deploymentSettings(deployment: Deployment, width: number): Span[][] {
  const { enabled, authMode, target } = deployment;
  const callers = authMode === 'none' ? 'anyone with the URL can call it' : 'callers need a key';
  const toggle = enabled ? 'e to disable' : 'calls get 404; e to enable';
  const keeping = keepingText(deployment);
  const settings: Setting[] = [
    ['URL', operationUrl(deployment), { bold: true }],
    ['Target', targetLabel(target)],
    ['State', enabledLabel(deployment), { tone: enabled ? 'completed' : 'cancelled' }, toggle],
    ['Auth mode', authMode, {}, `${callers}; m to change`],
    ...(keeping ? [['Requests', `${keeping} w to see them`] as const] : []),
    ...offerRows(deployment).map(({ label, values }) => [label, values.join(', ')] as const),
  ];
  const room = width - LABEL - 1;
  const labeled = (label: string): Span => ({ text: ` ${label.padEnd(LABEL - 1)}`, style: { dim: true } });
  return settings.flatMap(([label, text, style, note = '']) => {
    const isBeside = note !== '' && displayWidth(`${text}   ${note}`) <= room;
    const rows = paragraphRows(text, room, MOST_ROWS).map((row, index) => [
      labeled(index === 0 ? label : ''),
      { text: row, style },
      { text: isBeside ? `   ${note}` : '', style: { dim: true } },
    ]);
    const below = note === '' || isBeside ? [] : paragraphRows(note, room, MOST_ROWS);
    return [...rows, ...below.map(row => [labeled(''), { text: row, style: { dim: true } }])];
  });
}

const ONLY_NOW = 'Press c to copy it, u to copy it as cURL. It will not be shown again.';

/** The only time a key is shown. */
export function issuedKeyRows({ plaintext }: Pick<IssuedKey, 'plaintext'>, width: number): Span[][] {
  return [
    ...paragraphRows(plaintext, width).map(text => [{ text, style: { bold: true } }]),
    ...paragraphRows(ONLY_NOW, width).map(text => [{ text, style: { tone: 'warning' } as const }]),
  ];
}

/** As long as a label may be. */
const MOST_KEY_LABEL = 80;
const KEY_PREFIX = 15;
const KEY_STATE = 14;

/** A revoked key is struck through. */
export function keySpans(
  { label, prefix, enabled }: Key,
  width: number,
  { on, off }: Pick<Glyphs, 'on' | 'off'>,
): Span[] {
  const style = enabled ? {} : { strike: true, dim: true };
  return [
    { text: fitText(label, Math.min(MOST_KEY_LABEL, width - KEY_PREFIX - KEY_STATE)), style },
    { text: '  ' },
    { text: fitText(`${prefix}…`, KEY_PREFIX), style },
    enabled
      ? { text: `${on} live`, style: { tone: 'completed' } }
      : { text: `${off} revoked`, style: { dim: true } },
  ];
}

export function sampleRows(deployment: Deployment, language: Language, width: number): string[] {
  const sample = quickStart(language, deployment).split('\n');
  return [OPERATIONS[0], ' ', ...sample.flatMap(row => breakToWidth(row, width))];
}

/** From this width on, all languages have room in a panel's edge. */
const ALL_LANGUAGES = 48;

export function languageTabs(chosen: Language, width: number): Span[] {
  return LANGUAGES.filter(({ value }) => value === chosen || width >= ALL_LANGUAGES).map(
    ({ value, label }) => ({
      text: ` ${label} `,
      style: value === chosen ? { inverse: true, bold: true } : { dim: true },
    }),
  );
}
