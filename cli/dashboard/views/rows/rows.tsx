// A job's rows by loss: all of them, those with a rising loss, or those of a step.
import { useMemo, useState } from 'react';
import {
  distinctRows,
  lossCells,
  lossDetail,
  lossTitles,
  noRowsText,
  plural,
  type RowSelection,
  rowFigures,
  rowsNote,
  rowsTitle,
  shortId,
  toRowRequest,
} from '../../../../lib/console/index.js';
import { useDashboard } from '../../dashboard-context.js';
import { usePages } from '../../hooks/use-pages.js';
import { Detail, ListView } from '../../screen/view.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';

const PAGE = 100;
/** The maximum height of the selected row's text; most excerpts are shorter. */
const MOST_DETAIL = 10;
/** For terminals without UTF-8. */
const ASCII_BARS = '_.-=*#';

export function Rows({ jobId, rows }: { jobId: string; rows: 'all' | number }) {
  const { copy } = useDashboard();
  const { width } = useRoom();
  const { hasBraille } = useGlyphs();
  const [filter, setFilter] = useState<'worst' | 'rising'>('worst');
  const selection: RowSelection = rows === 'all' ? { kind: filter } : { kind: 'step', step: rows };
  const isStep = rows !== 'all';
  const name = `rows of ${jobId} ${isStep ? rows : filter}`;
  const { value, problem, isSlow, refresh, onEnd, ...pages } = usePages(
    name,
    async ({ client, signal }, cursor) => {
      const request = { ...toRowRequest(selection), limit: PAGE, cursor };
      const { rows, ...found } = await client.listJobRows(jobId, request, { signal });
      return { ...found, items: rows };
    },
  );
  const items = useMemo(() => distinctRows(pages.items), [pages.items]);
  const look = { width, isStep, bars: hasBraille ? undefined : ASCII_BARS };
  return (
    <ListView
      {...{ name, items, onEnd, problem, isSlow }}
      title={rowsTitle(selection)}
      aside={`Job ${shortId(jobId)}`}
      status={value && items.length > 0 ? rowsNote({ ...value, rows: items }) : null}
      columns={lossTitles(look)}
      idOf={({ row }) => String(row)}
      row={row => lossCells(row, look)}
      share={room => Math.min(MOST_DETAIL, Math.max(5, Math.floor(room * 0.45)))}
      below={(row, height) => (
        <Detail
          key={row.row}
          item={row}
          about={`${rowFigures(row).place} · trained on ${plural(row.visits, 'time')}`}
          rowsOf={lossDetail}
          height={height}
        />
      )}
      none={value && noRowsText(selection, value)}
      hint={value?.unrecorded ? 'Its page shows the answers of its steps.' : null}
      scopes={['rows']}
      commands={() => ({
        refresh,
        copy: () => copy(jobId, 'the job ID'),
        nextFilter: isStep ? undefined : () => setFilter(filter === 'worst' ? 'rising' : 'worst'),
      })}
    />
  );
}
