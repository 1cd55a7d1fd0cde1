// The overview: the project's trainer and its settings, the project's activity, and the current run with its
// output.
import { useEffect } from 'react';
import { watchJob } from '../../../../lib/client/index.js';
import {
  activityRows,
  initialJobView,
  type JobView,
  mainPair,
  noOutputText,
  outputRows,
  RUN_POLL_MS,
  reduceJobView,
  type Span,
  START_COMMAND,
  trainerRows,
} from '../../../../lib/console/index.js';
import type { LogPart } from '../../../../lib/contract/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows } from '../../components/text.js';
import { Empty } from '../../components/words.js';
import { useDashboard, useKept, useShell } from '../../dashboard-context.js';
import { POLL_MS, useBaseModel, useFetched, usePoll } from '../../hooks/fetched.js';
import { useScroller } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { View } from '../../screen/view.js';
import { useStore } from '../../state/store.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';

export function Overview() {
  const { go, copy, training } = useDashboard();
  const state = useStore(training.store);
  const { identity } = useShell();
  const { width, height } = useRoom();
  const { readManifest, askStatus } = training;
  useEffect(() => {
    if (training.store.state.action === null && !training.store.state.isReading) void readManifest();
  }, [training, readManifest]);
  usePoll(askStatus, RUN_POLL_MS);

  const below = height - 1;
  const inner = width - 4;
  const activity = useActivity(inner, Math.floor(below / 3) - 2);
  const modelFacts = useBaseModel()?.facts ?? null;
  const trainer = trainerRows(state, {
    ...{ identity, modelFacts, width: inner, height: below },
    signs: useGlyphs(),
  });
  const rest = below - trainer.length - 2 - (activity.length === 0 ? 0 : activity.length + 2);
  const output = { width, height: Math.max(0, rest) };
  const inside = insidePanel(output);
  const source = outputRows(state.output, inside.width);
  const scroller = useScroller(source, inside.height);
  const { reset } = scroller;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run's output is read from where it is
  useEffect(reset, [reset, state.followed]);

  const jobId = state.status?.jobId ?? null;
  const isNew = state.action?.kind === 'new';
  const hasOutput = state.output.lines.length > 0;
  useCommands(['overview', 'text', 'anywhere'], {
    ...(hasOutput && scroller.commands),
    showData: () => go({ tab: 'overview', id: null, data: true }),
    // Without a project, this key copies the init command.
    showCluster: isNew ? undefined : () => go({ tab: 'overview', id: null, cluster: true }),
    refresh: () => void Promise.all([readManifest(), askStatus()]),
    ...(isNew && { copy: () => copy(START_COMMAND, 'the command') }),
    ...(jobId !== null && {
      openChosen: () => go({ tab: 'jobs', id: jobId }),
      copy: () => copy(jobId, "the job's ID"),
    }),
  });
  return (
    <View status={<OutputStatus isBusy={state.busy} isFollowing={scroller.isFollowing} />}>
      <RowsPanel title="Training" rows={trainer} />
      {activity.length > 0 && <RowsPanel title="Project" rows={activity} />}
      <Panel title="Output" {...output}>
        {hasOutput && <SpanRows rows={scroller.rows.map(source.row)} />}
        {!hasOutput && <Empty hint={noOutputText(state)} />}
      </Panel>
    </View>
  );
}

function RowsPanel({ title, rows }: { title: string; rows: readonly Span[][] }) {
  const { width } = useRoom();
  return (
    <Panel title={title} width={width} height={rows.length + 2}>
      <SpanRows rows={rows} />
    </Panel>
  );
}

function OutputStatus({ isBusy, isFollowing }: { isBusy: boolean; isFollowing: boolean }) {
  const { on } = useGlyphs();
  if (!isFollowing) return <Line dim>Scrolled up. Press G to follow.</Line>;
  return isBusy && <Line dim>{`${on} following the output`}</Line>;
}

/** The project's activity, no matter who started it: as many rows as fit, running jobs first. */
function useActivity(width: number, most: number): Span[][] {
  const { clock } = useDashboard();
  const signs = useGlyphs();
  // The title shows whether Studio and the cloud are up; the last known values stay.
  const { value } = useFetched('activity', ({ client, signal }) => client.getOverview({ signal }), {
    everyMs: POLL_MS,
  });
  const watched = value?.running.find(({ status }) => status === 'running')?.id ?? null;
  const losses = useLosses(watched);
  if (!value) return [];
  const rows = activityRows(value, { watched, losses, now: new Date(clock.now()), width, signs });
  return rows.slice(0, Math.max(0, most));
}

/** The run that is watched, as far as its events were read. */
interface WatchedRun {
  readonly id: string | null;
  readonly job: JobView;
}

const NO_RUN: WatchedRun = { id: null, job: initialJobView };
const jobOf = (run: WatchedRun, id: string) => (run.id === id ? run.job : initialJobView);

/** Events of another run take its place. */
function reduceRun(run: WatchedRun, { id, parts }: { id: string; parts: readonly LogPart[] }): WatchedRun {
  return { id, job: reduceJobView(jobOf(run, id), { type: 'events', parts }) };
}

/** The losses of a live run, or its rewards if it learns from them. */
function useLosses(id: string | null): JobView['training'] | null {
  const { client, clock, openEventSource } = useDashboard();
  const [run, store] = useKept('losses', reduceRun, NO_RUN);
  useEffect(() => {
    if (id === null) return;
    return watchJob(
      id,
      {
        onEvents: parts => store.dispatchLater({ id, parts }),
        onInterrupted() {},
        onEnd() {},
        onRefused() {},
      },
      { ...client, clock, openEventSource, after: jobOf(store.state, id).cursor },
    );
  }, [id, store, client, clock, openEventSource]);
  if (id === null) return null;
  const job = jobOf(run, id);
  return mainPair(job, job.metrics).training;
}
