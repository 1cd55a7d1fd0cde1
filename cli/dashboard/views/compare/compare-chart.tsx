// The chart of a comparison, with its legend above and the values at the cursor below.
import { useMemo, useState } from 'react';
import {
  type ChartChoices,
  type CompareView,
  comparedLegend,
  comparedPlot,
  comparedReading,
  initialChoices,
  runPen,
  type XRange,
} from '../../../../lib/console/index.js';
import { CellPicture } from '../../components/chart.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { SpanRows } from '../../components/text.js';
import { Empty, Ends } from '../../components/words.js';
import { useKept } from '../../dashboard-context.js';
import { useChart } from '../../hooks/use-chart.js';
import { merged } from '../../state/store.js';
import { type Size, useGlyphs } from '../../terminal/look.js';

/** The row for the values at the cursor. */
const BELOW = 1;

export function CompareChart({ runs, ...size }: Size & { readonly runs: CompareView }) {
  const { runMarks: marks } = useGlyphs();
  const { width, height } = insidePanel(size);
  const [choices, store] = useKept('compare choices', merged<ChartChoices>, initialChoices);
  const [zoom, setZoom] = useState<XRange | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const legend = comparedLegend(runs, width, marks);
  const plot = useMemo(() => comparedPlot(runs, { ...choices, zoom }), [runs, choices, zoom]);
  const chart = useChart(plot, {
    width,
    height: height - BELOW - legend.length,
    choices,
    zoom,
    cursor,
    choose(part) {
      store.dispatch(part);
      if (part.x) setCursor(null);
    },
    set({ zoom, cursor, metric }) {
      if (zoom !== undefined) setZoom(zoom);
      if (cursor !== undefined) setCursor(cursor);
      if (metric !== undefined) store.dispatch({ metrics: [metric] });
    },
  });
  return (
    <Panel title={plot.metric.label} {...size}>
      {chart.waiting ? (
        <Empty hint="Waiting for the first value…" />
      ) : (
        <>
          <SpanRows rows={legend} />
          <CellPicture chart={chart} cursor={cursor} penOf={name => runPen(Number(name), marks)} />
          <Ends {...comparedReading(plot, chart, cursor, { width, marks })} />
        </>
      )}
    </Panel>
  );
}
