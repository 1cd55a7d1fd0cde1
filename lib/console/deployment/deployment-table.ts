// Endpoints in the terminal: the table, whose entries take one or more rows depending on the width, and an
// endpoint's page with its settings, new keys and code sample, split into pages if needed.
import type { Deployment, IssuedKey, Key } from '../../contract/index.js';
import { canaryLabel, deploymentHost, enabledLabel, targetLabel, troubleLabel } from '../labels.js';
import { breakToWidth, displayWidth } from '../text/display-width.js';
import type { Glyphs } from '../text/glyphs.js';
import { fitText, paragraphRows, type Span, type Style } from '../text/spans.js';
import { canaryRows } from './canary.js';
import {
  gateSetting,
  LANGUAGES,
  type Language,
  OPERATIONS,
  offerRows,
  operationUrl,
  quickStart,
} from './deployment-page.js';
import { keepingText } from './kept-requests.js';

interface DeploymentTable {
  readonly titles: string;
  readonly rowsEach: number;
  rows(deployment: Deployment): Span[][];
}

const WIDE = 120;
const USUAL = 80;
const BADGE = 13;
const STATE = 27;
const TARGET = 36;
const AUTH = 15;
const TROUBLE = 16;
const GAP = 2;

/** An entry takes more rows if the host would not fit, or an endpoint has a canary. */
export function deploymentTable(
  deployments: readonly Deployment[],
  width: number,
  glyphs: Pick<Glyphs, 'on' | 'off' | 'status'>,
): DeploymentTable {
  const host = width - STATE - TARGET - AUTH;
  const longest = Math.max(0, ...deployments.map(each => displayWidth(deploymentHost(each))));
  const isNarrow = width < USUAL || longest > width - BADGE;
  const hostRows = Math.max(1, Math.ceil(longest / (width - 1)));
  const ownRows = isNarrow ? hostRows + 2 : width >= WIDE && longest <= host - 3 ? 1 : 2;
  const hasCanary = deployments.some(({ canary }) => canary);
  const canaryIndent = isNarrow ? 3 : ownRows === 1 ? host : BADGE;
  const titles = `${'Endpoint'.padEnd(host - 1)}${'Target'.padEnd(TARGET)}${'Auth mode'.padEnd(AUTH)}State`;
  return {
    rowsEach: ownRows + Number(hasCanary),
    titles: ownRows === 1 ? ` ${titles}` : ' Endpoint, target and auth mode',
    rows(deployment) {
      if (!hasCanary) return rowsOf(deployment);
      const label = canaryLabel(deployment);
      const text = label === null ? '' : `canary: ${label}`;
      const row = (' '.repeat(canaryIndent) + text).padEnd(width);
      return [...rowsOf(deployment), [{ text: row, style: { dim: true } }]];
    },
  };

  function rowsOf(deployment: Deployment): Span[][] {
    const { name, target, auth, state, trouble } = partsOf(deployment, glyphs);
    if (ownRows === 1) {
      const fitted = { ...name, text: ` ${fitText(name.text, host - 3)}  ` };
      return [[fitted, { text: `${fitText(target, TARGET - GAP)}${' '.repeat(GAP)}` }, auth, state, trouble]];
    }
    if (isNarrow) {
      const badge = { ...state, text: `${state.text}  ` };
      const [first, last] = longest <= width - BADGE ? [[badge], []] : [[], [badge]];
      const named = breakToWidth(name.text, width - 1).map(text => [
        { text: ' ' },
        ...first,
        { ...name, text },
      ]);
      const rest = [[{ text: `   ${target}` }], [{ text: '   ' }, ...last, auth, trouble]];
      const blank = Array.from({ length: hostRows - named.length }, () => [{ text: ' ' }]);
      return [...named, ...rest, ...blank];
    }
    const room = width - BADGE - AUTH - TROUBLE;
    return [
      [{ text: ' ' }, { ...state, text: fitText(state.text, BADGE - 1) }, name],
      [
        { text: ' '.repeat(BADGE) + fitText(target, room) },
        { ...auth, text: ' '.repeat(GAP) + fitText(deployment.authMode, AUTH - GAP) },
        trouble,
      ],
    ];
  }
}

function partsOf(deployment: Deployment, { on, off, status }: Pick<Glyphs, 'on' | 'off' | 'status'>) {
  const { enabled, authMode } = deployment;
  const trouble = troubleLabel(deployment);
  const isOn = { tone: 'completed' } as const;
  return {
    name: { text: deploymentHost(deployment), style: { bold: true } },
    target: targetLabel(deployment.target),
    auth: { text: fitText(authMode, AUTH), style: { dim: true } },
    state: {
      text: `${enabled ? on : off} ${enabledLabel(deployment)}`,
      style: enabled ? isOn : { dim: true },
    },
    trouble: { text: trouble ? `  ${status.failed} ${trouble}` : '', style: { tone: 'failed' } as const },
  };
}

type Part = 'settings' | 'keys' | 'sample';

/** The minimum size for keys and sample side by side, below the settings. */
const WIDE_PAGE = 110;
const LEAST_BESIDE = 10;
/** The minimum rows for the keys below the settings. */
const LEAST_KEYS = 4;
const LABEL = 12;
const MOST_ROWS = 2;

/** What each page shows, given the rows left below the settings. */
export function deploymentPages(width: number, below: number): readonly (readonly Part[])[] {
  if (width >= WIDE_PAGE && below >= LEAST_BESIDE) return [['settings', 'keys', 'sample']];
  return below >= LEAST_KEYS ? [['settings', 'keys'], ['sample']] : [['settings'], ['keys'], ['sample']];
}

type Setting = readonly [label: string, text: string, style?: Style, note?: string];

/** One to two rows each, plus one if a note does not fit next to the text. */
export function deploymentSettings(deployment: Deployment, width: number): Span[][] {
  const { enabled, authMode, target } = deployment;
  const callers = authMode === 'none' ? 'anyone with the URL can call it' : 'callers need a key';
  const toggle = enabled ? 'e to disable' : 'calls get 404; e to enable';
  const keeping = keepingText(deployment);
  const gate = gateSetting(deployment);
  const settings: Setting[] = [
    ['URL', operationUrl(deployment), { bold: true }],
    ['Target', targetLabel(target)],
    ['State', enabledLabel(deployment), { tone: enabled ? 'completed' : 'cancelled' }, toggle],
    ['Auth mode', authMode, {}, `${callers}; m to change`],
    ...(gate ? [['Gate', gate.choice, {}, `${gate.text} g to change`] as const] : []),
    ...canarySettings(deployment),
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

function canarySettings(deployment: Deployment): Setting[] {
  const [stable, canary] = canaryRows(deployment);
  return stable && canary ? [stable, [...canary, {}, 'p to promote, z to end it']] : [];
}

const ONLY_NOW = 'Press c to copy it, u to copy it as cURL. It will not be shown again.';

/** A new key, which is shown only once. */
export function issuedKeyRows({ plaintext }: Pick<IssuedKey, 'plaintext'>, width: number): Span[][] {
  return [
    ...paragraphRows(plaintext, width).map(text => [{ text, style: { bold: true } }]),
    ...paragraphRows(ONLY_NOW, width).map(text => [{ text, style: { tone: 'warning' } as const }]),
  ];
}

/** The maximum length of a label. */
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

/** The minimum width for all languages in a panel's edge. */
const ALL_LANGUAGES = 48;

export function languageTabs(chosen: Language, width: number): Span[] {
  return LANGUAGES.filter(({ value }) => value === chosen || width >= ALL_LANGUAGES).map(
    ({ value, label }) => ({
      text: ` ${label} `,
      style: value === chosen ? { inverse: true, bold: true } : { dim: true },
    }),
  );
}
