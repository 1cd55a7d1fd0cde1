// The user's chart settings and zoom. Only differences from the defaults are written to the page's address
// and stored by the browser.
import { isNoisyMetric } from './metrics.js';
import { X_AXES, type XAxis } from './x-axis.js';

/** A part of the x-axis, in its own units. */
export interface XRange {
  readonly from: number;
  readonly to: number;
}

export interface ChartChoices {
  readonly isLog: boolean;
  readonly isSmooth: boolean;
  readonly ignoresOutliers: boolean;
  /** The x-axis extends to the last planned step while the run is in progress. */
  readonly toPlannedEnd: boolean;
  readonly x: XAxis;
  readonly zoom: XRange | null;
  /** Further metrics, each in its own chart. */
  readonly metrics: readonly string[];
}

/**
 * Converts choices to drawing options: `axis` is the x-axis that the data supports, `plannedEnd` is where it
 * would end.
 */
export function drawOptions(choices: ChartChoices, axis: XAxis, plannedEnd: number | null) {
  return { ...choices, axis, reach: choices.toPlannedEnd ? plannedEnd : null };
}

/**
 * Limits choices to what applies to a metric: only losses use a logarithmic scale, and only noisy metrics are
 * smoothed.
 */
export function metricChoices(choices: ChartChoices, name: string): ChartChoices {
  const { isLog, isSmooth } = choices;
  return {
    ...choices,
    isLog: isLog && (name === 'loss' || name === 'evalLoss'),
    isSmooth: isSmooth && isNoisyMetric(name),
  };
}

export type ChartSwitch = 'isLog' | 'isSmooth' | 'ignoresOutliers' | 'toPlannedEnd';

export const initialChoices: ChartChoices = {
  isLog: false,
  isSmooth: false,
  ignoresOutliers: false,
  toPlannedEnd: false,
  x: 'step',
  zoom: null,
  metrics: [],
};

/** The switches with their names in the address. */
export const CHART_SWITCHES = [
  { name: 'isLog', key: 'log', label: 'Log scale' },
  { name: 'isSmooth', key: 'smooth', label: 'Smooth' },
  { name: 'ignoresOutliers', key: 'outliers', label: 'Ignore outliers' },
  { name: 'toPlannedEnd', key: 'planned', label: 'Planned end' },
] as const satisfies readonly { name: ChartSwitch; key: string; label: string }[];

/** The active modes in words. A note replaces the mode that it describes. */
export function modesText(
  { isLog, isSmooth, ignoresOutliers, zoom }: ChartChoices,
  note: string | null,
): string {
  const modes = [
    note,
    isLog && !note ? 'log scale' : null,
    isSmooth ? 'smoothed' : null,
    ignoresOutliers && !note ? 'no outliers' : null,
    zoom ? 'zoomed' : null,
  ];
  return modes.filter(mode => mode !== null).join(' · ');
}

/** `log=1&x=time&zoom=10-40`; empty for the defaults. */
export function writeChoices(choices: ChartChoices): string {
  const query = new URLSearchParams();
  for (const { name, key } of CHART_SWITCHES) if (choices[name]) query.set(key, '1');
  if (choices.x !== 'step') query.set('x', choices.x);
  if (choices.zoom) query.set('zoom', `${choices.zoom.from}_${choices.zoom.to}`);
  const [plain, others] = [choices.metrics.filter(isPlain), choices.metrics.filter(name => !isPlain(name))];
  if (plain.length > 0) query.set('metrics', plain.join('_'));
  for (const name of others) query.append('metric', name);
  return query.toString();
}

/** Ignores unknown or malformed parts. */
export function readChoices(text: string): ChartChoices {
  const query = new URLSearchParams(text);
  const x = X_AXES.find(axis => axis === query.get('x')) ?? 'step';
  const switches = Object.fromEntries(CHART_SWITCHES.map(({ name, key }) => [name, query.get(key) === '1']));
  return {
    ...initialChoices,
    ...switches,
    x,
    zoom: readRange(query.get('zoom')),
    metrics: [...new Set([...plainNames(query.get('metrics')), ...query.getAll('metric').filter(isName)])],
  };
}

/** Plain names share one parameter; names of scores may contain any characters. */
function isPlain(name: string): boolean {
  return /^[a-z\d]{1,60}$/i.test(name);
}

function plainNames(text: string | null): string[] {
  return (text ?? '').split('_').filter(isPlain);
}

function isName(name: string): boolean {
  return name !== '' && name.length <= 120;
}

/** Another axis has other units, so this resets the zoom. */
export function chooseAxis(choices: ChartChoices, x: XAxis): ChartChoices {
  return { ...choices, x, zoom: null };
}

export function toggleMetric(choices: ChartChoices, name: string): ChartChoices {
  const isShown = choices.metrics.includes(name);
  return {
    ...choices,
    metrics: isShown ? choices.metrics.filter(other => other !== name) : [...choices.metrics, name],
  };
}

function readRange(text: string | null): XRange | null {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '')
    .split('_')
    .map(part => (part === '' ? Number.NaN : Number(part)));
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : null;
}

/** The zoom factor per key press. */
const FACTOR = 2;
/** The smallest zoom, as a share of the whole range. */
const CLOSEST = 1e-4;

/**
 * The zoom between two positions, given as fractions of the visible range; null if they are too close to be
 * intended.
 */
export function zoomBetween(shown: XRange, a: number, b: number): XRange | null {
  const [low, high] = a < b ? [a, b] : [b, a];
  if (high - low < 0.01) return null;
  const width = shown.to - shown.from;
  return { from: shown.from + low * width, to: shown.from + high * width };
}

/** Zooms in or out around a position on the axis; null once everything is visible. */
export function zoomBy(whole: XRange, shown: XRange, place: number, direction: 1 | -1): XRange | null {
  const width = (shown.to - shown.from) * (direction > 0 ? 1 / FACTOR : FACTOR);
  const all = whole.to - whole.from;
  if (all <= 0 || width >= all) return null;
  if (width < all * CLOSEST) return shown;
  // A place that is not shown comes into view.
  const share = Math.min(1, Math.max(0, (place - shown.from) / (shown.to - shown.from)));
  const from = Math.min(Math.max(whole.from, place - share * width), whole.to - width);
  return { from, to: from + width };
}
