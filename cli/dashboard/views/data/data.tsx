// A preview of what the trainer would learn, opened from the overview: figures, findings as filters, and rows
// token by token.
import { useEffect, useRef, useState } from 'react';
import {
  errorText,
  FINDING_TEXTS,
  lengthRows,
  previewCells,
  reportRows,
  rowFacts,
  rowsNote,
  tokenRows,
} from '../../../../lib/console/index.js';
import type { DataFinding, DataMeasurement } from '../../../../lib/contract/index.js';
import { SpanRows } from '../../components/text.js';
import { type Dashboard, useDashboard } from '../../dashboard-context.js';
import { neighborOf } from '../../hooks/use-list.js';
import { usePages } from '../../hooks/use-pages.js';
import { Detail, ListView } from '../../screen/view.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';

const PAGE = 50;
/** The first request builds the project and uploads its data. */
const PATIENCE_MS = 600_000;

export function Data() {
  const { width, height } = useRoom();
  const { bar } = useGlyphs();
  const dashboard = useDashboard();
  const [finding, setFinding] = useState<DataFinding | null>(null);
  const [showsLengths, setShowsLengths] = useState(false);
  const { measurement, isMeasuring, measure, forget } = useMeasurement();
  const isToReload = useRef(true);
  const name = `data ${finding}`;
  const { value, problem, isSlow, items, refresh, onEnd } = usePages(
    name,
    async ({ client, signal }, cursor) => {
      const reload = (cursor === undefined && isToReload.current) || undefined;
      if (reload) forget();
      const request = { reload, finding: finding ?? undefined, limit: PAGE, cursor, tokens: true };
      const { rows, ...found } = await client.previewData(request, { signal });
      if (reload) isToReload.current = false;
      return { ...found, items: rows };
    },
    PATIENCE_MS,
  );
  const report = value?.report ?? null;
  const filters = [null, ...(report?.findings ?? []).map(({ name }) => name)];
  const note = value && rowsNote({ rows: items, total: value.total });
  return (
    <ListView
      {...{ name, items, onEnd, problem, isSlow }}
      title={finding ? FINDING_TEXTS[finding].title : 'What is learned'}
      aside={report?.name}
      status={isMeasuring ? 'Measuring: training a few steps…' : note}
      above={report ? reportRows(report, { finding, measurement, width, height: height - 1 }) : []}
      idOf={({ row }) => String(row)}
      row={previewCells}
      share={room => Math.max(0, room - Math.max(1, Math.floor(room * 0.4)))}
      below={(row, height) =>
        report && showsLengths ? (
          <SpanRows rows={lengthRows(report, { width, height, bar })} />
        ) : (
          <Detail key={row.row} item={row} about={rowFacts(row)} rowsOf={tokenRows} height={height} />
        )
      }
      none={value && 'No rows'}
      scopes={['data']}
      commands={() => ({
        refresh() {
          isToReload.current = true;
          void refresh();
        },
        ...(report && {
          nextFilter: filters.length > 1 ? () => setFinding(neighborOf(filters, finding, 1)) : undefined,
          toggleLengths: () => setShowsLengths(!showsLengths),
          measure: isMeasuring ? undefined : measure,
          saveRows: saveCommand(dashboard),
        }),
      })}
    />
  );
}

/** Undefined if files cannot be written. */
function saveCommand({ client, prompt, saveRows, notify, reach, signal }: Dashboard) {
  if (!saveRows) return undefined;
  const save = async (file: string) => {
    notify('Reading the rows…');
    try {
      saveRows(file, await (await reach(client.readDataRows({ signal }))).text(), 'new');
    } catch (error) {
      if (!signal.aborted) notify(errorText(error), 'failed');
    }
  };
  return () =>
    prompt({
      scope: 'naming',
      label: 'Save all rows as: ',
      value: 'rows.jsonl',
      submit(file) {
        if (file.trim() === '') return file;
        void save(file.trim());
        return null;
      },
    });
}

/** Trains a few steps to estimate how long a run takes. `forget`: the data is read again, which may have changed. */
function useMeasurement() {
  const { client, reach, signal, notify } = useDashboard();
  const [measured, setMeasured] = useState<DataMeasurement | 'busy' | null>(null);
  const measuring = useRef(new AbortController());
  useEffect(() => () => measuring.current.abort(), []);
  async function measure(): Promise<void> {
    const own = AbortSignal.any([signal, measuring.current.signal]);
    setMeasured('busy');
    try {
      const { measurement } = await reach(client.previewData({ measure: true, limit: 1 }, { signal: own }));
      if (!own.aborted) setMeasured(measurement);
    } catch (error) {
      if (own.aborted) return;
      setMeasured(null);
      notify(errorText(error), 'failed');
    }
  }
  function forget(): void {
    measuring.current.abort();
    measuring.current = new AbortController();
    setMeasured(null);
  }
  const isMeasuring = measured === 'busy';
  return { measurement: isMeasuring ? null : measured, isMeasuring, measure, forget };
}
