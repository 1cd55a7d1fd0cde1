// The panels of a job's page: its chart, its details, and its event log or the samples of a checkpoint.
import { useMemo } from 'react';
import {
  answerRows,
  isAway,
  jobDetails,
  jobLegend,
  jobPlot,
  jobReading,
  type LogChoices,
  logCountText,
  logRows,
  MOST_PROMPT,
  NOT_LOADED,
  neighborSample,
  nextLogType,
  noEventsText,
  noLossText,
  samplePrompts,
  sampleStepLabel,
  sampleSteps,
  samplesAt,
  viewLog,
} from '../../../../lib/console/index.js';
import { LossChart } from '../../components/chart.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows } from '../../components/text.js';
import { Empty, Ends } from '../../components/words.js';
import { useDashboard, useShell } from '../../dashboard-context.js';
import { promptSearch } from '../../hooks/prompts.js';
import { useChart } from '../../hooks/use-chart.js';
import { useRows, useScroller } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { useGlyphs } from '../../terminal/look.js';
import type { PartProps } from './page.js';

/** The rows for the legend and the values. */
const AROUND = 2;

/** The loss, or a metric, with its legend above and the values at the cursor below. */
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
    // The samples follow the cursor and, with it at the latest step, the run.
    set({ cursor: to, ...part }) {
      set(to === undefined ? part : { ...part, cursor: to, sampleStep: to === plot.latest ? null : to });
    },
  });
  const place = cursor === null ? null : (plot.placeOf(cursor) ?? null);
  return (
    <Panel title={plot.metric.label} {...size}>
      {chart.waiting ? (
        <Empty hint={noLossText(job)} />
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

/**
 * Facts and settings and, on request, the statistics of both series. On a page of its own it scrolls; next to
 * the chart it says how much does not fit.
 */
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

export function EventLog({ job, state: { type, search }, choices, set, choose, ...size }: PartProps) {
  const dashboard = useDashboard();
  const { link } = useShell();
  const { showsTime, isReadable } = choices.log;
  const view = useMemo(() => ({ ...choices.log, type, search }), [choices.log, type, search]);
  const log = viewLog(job.log, view);
  const { width, height } = insidePanel(size);
  const source = logRows(log, width, showsTime);
  const { rows, isFollowing, commands, reset } = useScroller(source, height);
  const filter = (part: Partial<Pick<LogChoices, 'type' | 'search'>>) => {
    set(part);
    reset();
  };
  useCommands([], {
    ...(rows.length < height && isFollowing ? {} : commands),
    search: () => promptSearch(dashboard, { value: search, change: text => filter({ search: text }) }),
    nextFilter: () => filter({ type: nextLogType(job.log, type) }),
    toggleTimes: () => choose({ log: { ...choices.log, showsTime: !showsTime } }),
    toggleReadable: () => choose({ log: { ...choices.log, isReadable: !isReadable } }),
  });
  const none = isAway(link) && job.streamed === null ? NOT_LOADED : noEventsText(job);
  const told = logCountText(job.log.length, log.length, view);
  return (
    <Panel title="Event log" {...size} aside={isFollowing ? told : [`${told} · G follows`, 'G follows']}>
      {log.length === 0 && <Empty hint={job.log.length > 0 ? 'No matches' : none} />}
      <SpanRows rows={rows.map(source.row)} />
    </Panel>
  );
}

const LEAVE = 'S shows the event log';

/** `step`: a step with answers. Text that changed since the previous answers is bold. */
export function Samples({ job, step, set, ...size }: PartProps & { step: number }) {
  const { samples, totalSteps } = job;
  const config = job.polled?.config;
  const { width, height } = insidePanel(size);
  const rows = useMemo(
    () =>
      samplesAt(samples, samplePrompts(config, MOST_PROMPT), step).flatMap(each => answerRows(each, width)),
    [samples, config, step, width],
  );
  const { shown, isWhole, place, commands } = useRows(rows, height);
  const steps = sampleSteps(samples);
  const show = (direction: -1 | 1) => {
    const next = neighborSample(samples, step, direction);
    return next === null ? undefined : () => set({ sampleStep: next === steps.at(-1) ? null : next });
  };
  useCommands([], { ...commands, previousSample: show(-1), nextSample: show(1) });
  const title = `Samples: ${sampleStepLabel(step, totalSteps)} (${steps.indexOf(step) + 1} of ${steps.length})`;
  return (
    <Panel title={title} {...size} aside={isWhole ? LEAVE : [`${place} · ${LEAVE}`, place]}>
      <SpanRows rows={shown} />
    </Panel>
  );
}
