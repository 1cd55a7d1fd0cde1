// The layout of a job's page: parts side by side and stacked if they fit, otherwise on several pages, so that nothing is cut
// off.

/** `figures` is the facts plus the statistics of both series; `training` and `evaluation` have one series each. */
export type Part = 'chart' | 'log' | 'facts' | 'figures' | 'training' | 'evaluation';

export interface Placed {
  readonly part: Part;
  readonly width: number;
  readonly height: number;
}

/** Rows of parts from top to bottom; the parts in a row are side by side and have the same height. */
export type Page = readonly (readonly Placed[])[];

const WIDE = { width: 110, height: 24 };
const STACKED_HEIGHT = 16;
/** Enough for the facts and both statistics in one column. */
const TALL_FIGURES = 24;
/** The same with the statistics side by side. */
const FLAT_FIGURES = { width: 70, height: 14 };
const LEAST_LOG = 3;

export function layOutJob(width: number, height: number, isAdvanced: boolean): readonly Page[] {
  if (width >= WIDE.width && height >= WIDE.height) return [widePage(width, height, isAdvanced)];
  const isStacked = height >= STACKED_HEIGHT;
  const fitsBeside = width >= FLAT_FIGURES.width && height >= FLAT_FIGURES.height;
  const parts: Part[] = [
    'chart',
    ...(isStacked ? [] : (['log'] as const)),
    ...(isAdvanced ? (fitsBeside ? FIGURES : FIGURES_IN_TURN) : FACTS),
  ];
  if (!isStacked) return parts.map(part => [[{ part, width, height }]]);
  const chart = Math.max(10, Math.round(height * 0.58));
  const heightOf = (part: Part) => (part === 'chart' ? chart : Math.max(FLAT_FIGURES.height, chart));
  return parts.map(part => overLog({ part, width, height: heightOf(part) }, height));
}

const FACTS: readonly Part[] = ['facts'];
const FIGURES: readonly Part[] = ['figures'];
const FIGURES_IN_TURN: readonly Part[] = ['facts', 'training', 'evaluation'];

/** The first page with statistics, or the first page if there are none. */
export function statisticsPage(pages: readonly Page[]): number {
  const has = (wanted: Part) => pages.findIndex(page => page.flat().some(({ part }) => part === wanted));
  return Math.max(0, has('figures'), has('training'));
}

function widePage(width: number, height: number, isAdvanced: boolean): Page {
  const upper = Math.min(height - 8, Math.max(TALL_FIGURES, Math.round(height * 0.6)));
  const chart = Math.floor((width * 2) / 3);
  return [
    [
      { part: 'chart', width: chart, height: upper },
      { part: isAdvanced ? 'figures' : 'facts', width: width - chart, height: upper },
    ],
    [{ part: 'log', width, height: height - upper }],
  ];
}

/** Omits the log if there is too little room left for it. */
function overLog(upper: Placed, height: number): Page {
  const rest = height - upper.height;
  if (rest < LEAST_LOG) return [[{ ...upper, height }]];
  return [[upper], [{ part: 'log', width: upper.width, height: rest }]];
}
