// A job's event log, or in its place what the model said at a checkpoint.
import { useMemo } from 'react';
import {
  answerRows,
  isAway,
  type LogChoices,
  logCountText,
  logRows,
  MOST_PROMPT,
  neighborSample,
  nextLogType,
  samplePrompts,
  sampleStepLabel,
  sampleSteps,
  samplesAt,
  viewLog,
} from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { SpanRows } from '../../components/spans.js';
import { Empty } from '../../components/words.js';
import { useDashboard, useShell } from '../../dashboard-context.js';
import { promptSearch } from '../../hooks/search.js';
import { useRows, useScroller } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import type { PartProps } from './page.js';

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
  const none = isAway(link) && job.streamed === null ? 'Not loaded yet' : 'No events yet';
  const told = logCountText(job.log.length, log.length, view);
  return (
    <Panel title="Event log" {...size} aside={isFollowing ? told : [`${told} · G follows`, 'G follows']}>
      {log.length === 0 && <Empty hint={job.log.length > 0 ? 'No matches' : none} />}
      <SpanRows rows={rows.map(source.row)} />
    </Panel>
  );
}

const LEAVE = 'S shows the event log';

/** `step`: one with answers. What changed since the answers before is bold. */
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
    return next === null ? undefined : () => set({ sampleStep: next });
  };
  useCommands([], { ...commands, previousSample: show(-1), nextSample: show(1) });
  const title = `Samples: ${sampleStepLabel(step, totalSteps)} (${steps.indexOf(step) + 1} of ${steps.length})`;
  return (
    <Panel title={title} {...size} aside={isWhole ? LEAVE : [`${place} · ${LEAVE}`, place]}>
      <SpanRows rows={shown} />
    </Panel>
  );
}
