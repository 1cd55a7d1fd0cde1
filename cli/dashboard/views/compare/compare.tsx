// Several runs side by side: their lines in one chart, their results, and the settings that differ.
import { useEffect, useMemo, useState } from 'react';
import { watchJobs } from '../../../../lib/client/index.js';
import {
  awaitsMore,
  type ChartChoices,
  type CompareAction,
  type CompareView,
  comparedLegend,
  comparedPlot,
  comparedReading,
  comparedTable,
  compareHint,
  compareRows,
  errorText,
  foundRuns,
  initialChoices,
  type JobAction,
  LEAST_COMPARED,
  MOST_COMPARED,
  needsJobs,
  plural,
  reduceCompare,
  runPen,
  shortId,
  startCompare,
  type XRange,
} from '../../../../lib/console/index.js';
import { isUuid } from '../../../../lib/contract/index.js';
import { CellPicture } from '../../components/chart.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows } from '../../components/text.js';
import { Empty, Ends, Problem, problemHeight, Waiting } from '../../components/words.js';
import { type Dashboard, useDashboard, useKept, useShell } from '../../dashboard-context.js';
import { useChart } from '../../hooks/use-chart.js';
import { useJobs } from '../../hooks/use-jobs.js';
import { useRows } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { View } from '../../screen/view.js';
import { createStore, merged, type Store, useStore } from '../../state/store.js';
import { type Size, useGlyphs, useRoom } from '../../terminal/look.js';

/** The rows with the names and IDs of the runs, which do not scroll. */
const TABLE_HEAD = 2;
const LEAST_TABLE = TABLE_HEAD + 3;
const LEAST_CHART = 8;
const NOTHING = { title: 'Nothing to compare', hint: compareHint(0) };

type RunsStore = Store<CompareView, CompareAction>;

/** `names`: the runs' IDs or prefixes of them. */
export function Compare({ names }: { names: readonly string[] }) {
  const { clock } = useDashboard();
  const [store] = useState(() => createStore(reduceCompare, startCompare(names, isUuid), clock));
  const isWhole = !needsJobs(useStore(store));
  return isWhole ? <Comparison store={store} /> : <Lookup store={store} />;
}

/** Resolves shortened IDs to runs. */
function Lookup({ store }: { store: RunsStore }) {
  const { jobs, problem, isSlow, refresh } = useJobs();
  const { link } = useShell();
  useEffect(() => {
    if (jobs) store.dispatch({ type: 'listed', jobs });
  }, [store, jobs]);
  useCommands(['chart', 'text', 'anywhere'], { refresh: () => void refresh() });
  return (
    <View>
      <Problem text={link === 'away' ? null : problem} />
      {problem === null ? <Waiting isSlow={isSlow} /> : <Empty {...NOTHING} />}
    </View>
  );
}

function Comparison({ store }: { store: RunsStore }) {
  const dashboard = useDashboard();
  const { clock, copy } = dashboard;
  const { width, height } = useRoom();
  const { runMarks } = useGlyphs();
  const all = useStore(store);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt watches again
  useEffect(() => watchRuns(dashboard, store), [dashboard, store, attempt]);
  const runs = useMemo(() => foundRuns(all), [all]);
  const problems = all.flatMap(({ named, problem }) =>
    problem === null ? [] : [`${shortId(named)}: ${problem}`],
  );
  const taken = problems.reduce((sum, text) => sum + problemHeight(text, width, 1), 0);
  const free = height - 1 - taken;
  const rows = compareRows(runs, clock.now());
  // If both do not fit, the table shrinks.
  const most = Math.max(LEAST_TABLE + 2, Math.round(free * 0.45));
  const table = Math.min(TABLE_HEAD + rows.length + 2, most, Math.max(0, free - LEAST_CHART));
  const { head, body } = comparedTable(runs, rows, insidePanel({ width, height }).width, runMarks);
  const { shown, commands } = useRows(body, Math.max(1, table - 2 - TABLE_HEAD));
  useCommands(['chart', 'text', 'anywhere'], {
    refresh: () => setAttempt(count => count + 1),
    ...(runs.length > 0 && {
      ...commands,
      copy: () => copy(runs.map(({ id }) => id).join(' '), 'the job IDs'),
    }),
  });
  const found = runs.length;
  const status = found < LEAST_COMPARED ? compareHint(found) : `Comparing ${plural(found, 'run')}`;
  return (
    <View status={<Line dim>{status}</Line>}>
      {problems.map(text => (
        <Problem key={text} text={text} limit={1} />
      ))}
      {found === 0 ? (
        <Empty {...NOTHING} />
      ) : (
        <>
          <CompareChart runs={runs} width={width} height={free - table} />
          <Panel title="Results, and settings that differ" width={width} height={table}>
            <SpanRows rows={[...head, ...shown]} />
          </Panel>
        </>
      )}
    </View>
  );
}

/** Returns a function that stops watching. */
function watchRuns({ client, clock, openEventSource, reach }: Dashboard, store: RunsStore): () => void {
  const tell = (id: string, action: JobAction) => store.dispatchLater({ type: 'job', id, action });
  const watch = watchJobs(
    foundRuns(store.state).map(({ id }) => id!),
    {
      onJob: (id, job) => tell(id, { type: 'polled', job }),
      onEvents: (id, parts) => tell(id, { type: 'events', parts }),
      onInterrupted: id => tell(id, { type: 'interrupted' }),
      onRefused: (id, error) => store.dispatch({ type: 'refused', id, problem: errorText(error) }),
      awaitsMore: id => awaitsMore(store.state, id),
    },
    {
      openEventSource,
      readJobLog: client.readJobLog,
      getJob: (id, options) => reach(client.getJob(id, options), true),
      most: MOST_COMPARED,
      clock,
    },
  );
  watch.open();
  return () => watch.close();
}

/** The row for the values at the cursor. */
const BELOW = 1;

/** With its legend above, and the values at the cursor below. */
function CompareChart({ runs, ...size }: Size & { readonly runs: CompareView }) {
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
