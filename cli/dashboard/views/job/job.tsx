// A job's page: its chart, details and event log, together if they fit, and each on a page of its own.
import { Box } from 'ink';
import { useState } from 'react';
import {
  displayWidth,
  errorText,
  hasFinalAdapter,
  type JobView,
  jobAsides,
  learnsFromRewards,
  listWith,
  NO_NEIGHBOR,
  neighborJob,
  paragraphRows,
  sampleStepAt,
  shownError,
  shownStatus,
  shownWait,
  startPage,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import { Line, Text } from '../../components/text.js';
import { Problem, problemHeight, Spread, StatusText, statusWords } from '../../components/words.js';
import { type Dashboard, useDashboard, useKept, useShell } from '../../dashboard-context.js';
import { editCommands } from '../../hooks/prompts.js';
import { useJob } from '../../hooks/use-jobs.js';
import { neighborOf } from '../../hooks/use-list.js';
import { useCommands } from '../../keys/commands.js';
import { View } from '../../screen/view.js';
import { merged } from '../../state/store.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';
import { useShownJobs } from '../jobs/shown-jobs.js';
import { Answers } from './answers.js';
import { AT_FIRST, type JobChoices, type JobPageState, layOut, OPENED, PAGES, type Page } from './page.js';
import { ChartPanel, Details, EventLog, Samples } from './panels.js';

const MOST_NAME_ROWS = 3;
const MOST_ERROR_ROWS = 4;
/** With fewer rows, the header takes a single row. */
const USUAL_HEIGHT = 14;

/** The page that Tab shows next. */
const NEXT: Readonly<Record<Page, string>> = {
  overview: 'all details',
  details: 'the event log',
  log: 'the chart',
};

export function JobPage({ id }: { id: string }) {
  const dashboard = useDashboard();
  const { width, height } = useRoom();
  const shownJobs = useShownJobs();
  const { job, problem, refresh } = useJob(id);
  const [choices, { dispatch: choose }] = useKept('job choices', merged<JobChoices>, AT_FIRST);
  const [state, setState] = useState<JobPageState>(OPENED);
  const set = (part: Partial<JobPageState>) => setState(before => ({ ...before, ...part }));
  const { page, cursor } = state;
  const head = useHead(job, id, problem);
  const room = { width, height: height - 1 - head.height };
  // Beside the details, which say it too, there is no need.
  const wait = layOut(page, room).details ? null : shownWait(job);
  const waiting = wait === null ? [] : paragraphRows(wait, width - 2, head.limit);
  const layout = layOut(page, { width, height: room.height - waiting.length });
  const sampleStep = sampleStepAt(job.samples, state.sampleStep ?? Number.POSITIVE_INFINITY);
  const now = { job, state, choices, set, choose };
  const { go } = dashboard;
  const { polled }: JobView = job;
  const hasAnswers = learnsFromRewards(polled?.config);
  const toggle = (shown: 'samples' | 'answers') => () =>
    set({ shows: layout.log && state.shows === shown ? 'log' : shown, page: layout.log ? page : 'log' });
  const start = startPage(job);
  const openNeighbor = (direction: -1 | 1) => () => void goToNeighbor(dashboard, id, direction, shownJobs);
  useCommands(['job', 'text', 'chart', 'anywhere'], {
    refresh: () => void refresh(),
    copy: () => dashboard.copy(id, 'the job ID'),
    nextPage: () => set({ page: neighborOf<Page>(PAGES, page, 1) }),
    previousJob: openNeighbor(-1),
    nextJob: openNeighbor(1),
    ...(hasFinalAdapter(job) && {
      chat: () => go({ tab: 'playground', id: null, job: id }),
      publish: () => go({ tab: 'endpoints', id: null, job: id }),
    }),
    showEvaluations: () => go({ tab: 'jobs', id, evaluations: true }),
    showRows: () => go({ tab: 'jobs', id, rows: 'all' }),
    ...(start && { openStart: () => go(start) }),
    ...(cursor !== null && { showStepRows: () => go({ tab: 'jobs', id, rows: cursor }) }),
    ...(job.polled && editCommands(dashboard, job.polled, () => void refresh())),
    toggleAdvanced() {
      choose({ isAdvanced: !choices.isAdvanced });
      if (!choices.isAdvanced && !layout.details) set({ page: 'details' });
    },
    ...(sampleStep !== null && { toggleSamples: toggle('samples') }),
    ...(hasAnswers && { toggleAnswers: toggle('answers') }),
  });
  const place = `Page ${PAGES.indexOf(page) + 1} of ${PAGES.length}; Tab shows ${NEXT[page]}`;
  return (
    <View status={<Line dim>{place}</Line>}>
      {head.rows}
      {waiting.map(row => (
        <Line key={row} dim>
          {` ${row}`}
        </Line>
      ))}
      <Box flexShrink={0}>
        {layout.chart && <ChartPanel {...layout.chart} {...now} />}
        {layout.details && <Details key={page} {...layout.details} {...now} id={id} />}
      </Box>
      {layout.log &&
        (state.shows === 'samples' && sampleStep !== null ? (
          <Samples key={sampleStep} {...layout.log} {...now} step={sampleStep} />
        ) : state.shows === 'answers' && hasAnswers ? (
          <Answers {...layout.log} {...now} id={id} />
        ) : (
          <EventLog {...layout.log} {...now} />
        ))}
    </View>
  );
}

/** The head of the page, its height and the most rows of a text in it: state, name, progress and any error. */
function useHead(job: JobView, id: string, refusal: string | null) {
  const { width, height } = useRoom();
  const { status: signs } = useGlyphs();
  const { linkProblem } = useShell();
  // A cloud error is already shown above every view.
  const problem = refusal === linkProblem ? null : refusal;
  const error = shownError(job);
  const status = shownStatus(job);
  const indent = status ? displayWidth(statusWords(status, signs)) + 3 : 1;
  const limit = height < USUAL_HEIGHT ? 1 : MOST_NAME_ROWS;
  const [name = '', ...rest] = paragraphRows(job.polled?.name ?? '', width - indent - 1, limit);
  const room = width - indent - displayWidth(name) - 3;
  const aside = rest.length > 0 ? '' : jobAsides(job, id).find(text => displayWidth(text) <= room);
  const problems = problemHeight(problem, width) + problemHeight(error, width, MOST_ERROR_ROWS);
  const rows = (
    <>
      <Spread
        left={
          <Line>
            <Text> </Text>
            {status && <StatusText status={status} width={indent - 1} />}
            <Text bold>{name}</Text>
          </Line>
        }
        right={aside && <Line dim>{`${aside} `}</Line>}
      />
      {rest.map(row => (
        <Line key={row} bold>
          {' '.repeat(indent) + row}
        </Line>
      ))}
      <Problem text={problem} />
      {job.interrupted && (
        <Line bold tone="warning">
          {' Event stream interrupted.'}
        </Line>
      )}
      <Problem text={error} limit={MOST_ERROR_ROWS} />
    </>
  );
  return { rows, limit, height: 1 + rest.length + problems + (job.interrupted ? 1 : 0) };
}

/** In the list as shown or, for a job that is not in it, in the full list. */
async function goToNeighbor(
  { client, reach, signal, shell, notify, replace }: Dashboard,
  id: string,
  direction: -1 | 1,
  shown: readonly JobSummary[],
): Promise<void> {
  try {
    const rows = listWith(id, [shown]) ?? (await reach(client.listJobs({ signal }))).jobs;
    if (id !== shell.state.location.id) return;
    const next = neighborJob(rows, id, direction);
    if (next === null) notify(NO_NEIGHBOR[direction]);
    else replace({ tab: 'jobs', id: next });
  } catch (error) {
    if (!signal.aborted) notify(errorText(error), 'failed');
  }
}
