// A job's facts and settings and, on request, the statistics of its two series.
import { useMemo } from 'react';
import { jobDetails } from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { SpanRows } from '../../components/spans.js';
import { Line } from '../../components/text.js';
import { useRows } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { useGlyphs } from '../../terminal/look.js';
import type { PartProps } from './page.js';

/** On a page of its own it scrolls; beside the chart it says how much does not fit. */
export function Details({ id, job, state, choices: { isAdvanced }, ...size }: PartProps & { id: string }) {
  const { width, height } = insidePanel(size);
  const { bar } = useGlyphs();
  const rows = useMemo(
    () => jobDetails(job, id, { width, bar, isAdvanced }),
    [job, id, isAdvanced, width, bar],
  );
  const { shown, isWhole, place, commands } = useRows(rows, height);
  const isCut = !isWhole && state.page !== 'details';
  useCommands([], isCut ? {} : commands);
  const visible = isCut ? shown.slice(0, -1) : shown;
  return (
    <Panel title="Metadata" {...size} aside={isCut || isWhole ? '' : place}>
      <SpanRows rows={visible} />
      {isCut && <Line dim>{`${rows.length - visible.length} more lines: Tab`}</Line>}
    </Panel>
  );
}
