// A job's loss chart, or that of a metric, with its legend above and the values at the cursor below.
import { useMemo } from 'react';
import { jobLegend, jobPlot, jobReading, noLossText, shownStatus } from '../../../../lib/console/index.js';
import { LossChart } from '../../components/chart.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Empty, Ends } from '../../components/words.js';
import { useChart } from '../../hooks/use-chart.js';
import { useGlyphs } from '../../terminal/look.js';
import type { PartProps } from './page.js';

/** The rows of the legend and of the reading. */
const AROUND = 2;

export function ChartPanel({ job, state, choices, set, choose, ...size }: PartProps) {
  const { width, height } = insidePanel(size);
  const glyphs = useGlyphs();
  const { metric, zoom, cursor } = state;
  const { chart: chosen } = choices;
  const plot = useMemo(() => jobPlot(job, metric, { ...chosen, zoom }), [job, metric, chosen, zoom]);
  const chart = useChart(plot, {
    width,
    height: height - AROUND,
    choices: chosen,
    zoom,
    cursor,
    choose: part => choose({ chart: { ...chosen, ...part } }),
    // The samples go along with the cursor.
    set: part => set(part.cursor === undefined ? part : { ...part, sampleStep: part.cursor }),
  });
  const place = cursor === null ? null : (plot.placeOf(cursor) ?? null);
  return (
    <Panel title={plot.metric.label} {...size}>
      {chart.waiting ? (
        <Empty hint={noLossText(shownStatus(job), job.preparing)} />
      ) : (
        <>
          <Ends {...jobLegend(plot, chart, glyphs)} />
          <LossChart chart={chart} cursor={place} isScore={plot.words.isScore} />
          <Ends {...jobReading(plot, chart, cursor, width)} />
        </>
      )}
    </Panel>
  );
}
