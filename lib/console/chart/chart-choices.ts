// How somebody wants charts drawn, and which stretch of the x-axis they zoom into. Nothing is chosen at first; what differs
// from that stands in the page's address and is kept by the browser.
import { isNoisyMetric } from './metrics.js';
import { X_AXES, type XAxis } from './x-axis.js';

/** A stretch of the x-axis, in its own units. */
export interface XRange {
  readonly from: number;
  readonly to: number;
}

export interface ChartChoices {
  readonly isLog: boolean;
  readonly isSmooth: boolean;
  readonly ignoresOutliers: boolean;
  /** The x-axis reaches to the last planned step while the run goes on. */
  readonly toPlannedEnd: boolean;
  readonly x: XAxis;
  readonly zoom: XRange | null;
  /** Further metrics, each in a chart of its own. */
  readonly metrics: readonly string[];
}

/** How a chart is drawn: `axis` is the one that it can have, and `plannedEnd` where the x-axis would end. */
export function drawOptions(choices: ChartChoices, axis: XAxis, plannedEnd: number | null) {
  return { ...choices, axis, reach: choices.toPlannedEnd ? plannedEnd : null };
}

/** What applies to a metric: losses alone are drawn on a logarithmic scale, and what has no noise is not smoothed. */
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

/** The switches with their names in an address. */
export const CHART_SWITCHES = [
  { name: 'isLog', key: 'log', label: 'Log scale' },
  { name: 'isSmooth', key: 'smooth', label: 'Smooth' },
  { name: 'ignoresOutliers', key: 'outliers', label: 'Ignore outliers' },
  { name: 'toPlannedEnd', key: 'planned', label: 'Planned end' },
] as const satisfies readonly { name: ChartSwitch; key: string; label: string }[];

/** What is switched on, in words. A note says more than the switch that it is about. */
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

/** `log=1&x=time&zoom=10-40`; empty if nothing was chosen. */
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

/** What is unknown or malformed is left out. */
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

/** Such names share a part of the address; those of scores may have any characters. */
function isPlain(name: string): boolean {
  return /^[a-z\d]{1,60}$/i.test(name);
}

function plainNames(text: string | null): string[] {
  return (text ?? '').split('_').filter(isPlain);
}

function isName(name: string): boolean {
  return name !== '' && name.length <= 120;
}

/** Another axis counts in other units, so the zoom ends. */
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

/** By which keys zoom. */
const FACTOR = 2;
/** Closer than this share of everything, there is nothing to see. */
const CLOSEST = 1e-4;

/** The stretch between two places, given as fractions of what is shown; null if they are too close to be meant. */
export function zoomBetween(shown: XRange, a: number, b: number): XRange | null {
  const [low, high] = a < b ? [a, b] : [b, a];
  if (high - low < 0.01) return null;
  const width = shown.to - shown.from;
  return { from: shown.from + low * width, to: shown.from + high * width };
}

/** Closer to a place on the axis, or away from it; null once everything is shown. */
export function zoomBy(whole: XRange, shown: XRange, place: number, direction: 1 | -1): XRange | null {
  const width = (shown.to - shown.from) * (direction > 0 ? 1 / FACTOR : FACTOR);
  const all = whole.to - whole.from;
  if (all <= 0 || width >= all) return null;
  if (width < all * CLOSEST) return shown;
  const share = (place - shown.from) / (shown.to - shown.from);
  const from = Math.min(Math.max(whole.from, place - share * width), whole.to - width);
  return { from, to: from + width };
}
