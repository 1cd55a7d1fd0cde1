// What is switched on in a chart, in the words beside it.
import type { ChartChoices } from '../../../lib/console/index.js';

type Switches = Pick<ChartChoices, 'isLog' | 'isSmooth' | 'ignoresOutliers' | 'zoom'>;

/** A note says more than the switch that it is about. */
export function modesText({ isLog, isSmooth, ignoresOutliers, zoom }: Switches, note: string | null): string {
  const modes = [
    note,
    isLog && !note ? 'log scale' : null,
    isSmooth ? 'smoothed' : null,
    ignoresOutliers && !note ? 'no outliers' : null,
    zoom ? 'zoomed' : null,
  ];
  return modes.filter(mode => mode !== null).join(' · ');
}
