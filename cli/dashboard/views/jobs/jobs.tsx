// The jobs list: its filters, the sweep whose runs are listed, a row for each job, and below them the
// selected job's values that have no column.
import { Box } from 'ink';
import { useCallback, useMemo, useState } from 'react';
import {
  COLUMN_PAGES,
  chosenGroup,
  chosenIn,
  chosenStatus,
  compareHint,
  countFilters,
  createSettingsBook,
  cutToWidth,
  EVERY_JOB,
  type FilterCounts,
  filterChips,
  findSweep,
  isFiltering,
  JOB_STATUS_WIDTH,
  type JobListQuery,
  jobCount,
  jobTable,
  LEAST_COMPARED,
  NO_JOBS,
  NO_MATCHES,
  nextFilter,
  queryText,
  readList,
  type Sweep,
  sweepHeight,
  TOO_MANY_COMPARED,
  toggleCompared,
  withStatus,
} from '../../../../lib/console/index.js';
import type { JobSettings, JobSummary } from '../../../../lib/contract/index.js';
import { List } from '../../components/list.js';
import { Line, Spans, Text } from '../../components/text.js';
import { Problem, problemHeight, StatusText } from '../../components/words.js';
import { useDashboard, useKept } from '../../dashboard-context.js';
import { POLL_MS, usePoll } from '../../hooks/fetched.js';
import { editCommands, promptSearch } from '../../hooks/prompts.js';
import { useJobs } from '../../hooks/use-jobs.js';
import { neighborOf, useList } from '../../hooks/use-list.js';
import { type Commands, commandOf } from '../../keys/bindings.js';
import { useCommands } from '../../keys/commands.js';
import { NoRows, View } from '../../screen/view.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';
import { type Choices, useChoices, useJobList } from './shown-jobs.js';
import { SweepPart } from './sweep.js';

const idOf = ({ id }: JobSummary) => id;

export function Jobs() {
  const { width, height } = useRoom();
  const { prompt } = useGlyphs();
  const { jobs, problem, isSlow, refresh } = useJobs();
  const { rows, placeholder } = useJobList();
  const [choices] = useChoices();
  const { query, page, showsIds, compared } = choices;
  const group = chosenGroup(query);
  const sweep = useMemo(() => (jobs && group ? findSweep(jobs, group) : null), [jobs, group]);
  const counts = useMemo(() => (jobs?.length ? countFilters(jobs, query) : null), [jobs, query]);
  const settings = useJobSettings(rows, page === 'settings' && !sweep);
  const table = useMemo(
    () => jobTable({ page, showsIds, rows, sweep, settings, width, height }),
    [page, showsIds, rows, sweep, settings, width, height],
  );
  // Other rows: the filters, a blank line, the titles and the status.
  const free = height - 4 - problemHeight(problem, width) - table.belowHeight;
  const picture = sweepHeight(sweep, width, free);
  const list = useList(rows, { name: 'jobs', height: Math.max(1, free - picture), idOf });
  const job = list.item;
  const commands = useJobsCommands({ job, sweep, counts, canTurn: table.canTurn, refresh });
  useCommands(['jobs', 'list', 'choosing', 'anywhere'], { ...list.commands, ...commands });
  const count = jobs ? jobCount(rows.length, jobs.length) : '';
  return (
    <View status={jobs && <Status choices={choices} count={count} />} beside={count}>
      <Line>
        <Spans spans={filterChips(chosenStatus(query), counts, width)} />
      </Line>
      <Problem text={problem} />
      {sweep && <SweepPart sweep={sweep} selected={job?.id} height={picture} />}
      <Line> </Line>
      {job ? (
        <>
          <Line dim>{table.titles}</Line>
          <List
            list={list}
            idOf={idOf}
            row={job => (
              <>
                <Text bold>{compared.includes(job.id) ? prompt : ' '}</Text>
                <StatusText status={job.status} width={JOB_STATUS_WIDTH} />
                <Spans spans={table.cells(job)} />
              </>
            )}
          />
          <Box flexGrow={1} />
          {table.below(job).map(text => (
            <Line key={text} dim>
              {text}
            </Line>
          ))}
        </>
      ) : (
        <NoRows text={placeholder} hint={placeholder && HINTS[placeholder]} isSlow={isSlow} />
      )}
    </View>
  );
}

const HINTS = {
  [NO_JOBS]: 'Press R to run training; its job appears here.',
  [NO_MATCHES]: 'Press Esc to show all jobs.',
};

/** Values of a filter that its prompt names. */
const MOST_NAMED = 4;

interface Here {
  /** The selected job. */
  readonly job: JobSummary | undefined;
  readonly sweep: Sweep | null;
  readonly counts: FilterCounts | null;
  readonly canTurn: boolean;
  refresh(): Promise<void>;
}

function useJobsCommands({ job, sweep, counts, canTurn, refresh }: Here): Commands {
  const dashboard = useDashboard();
  const [{ query, page, showsIds, compared }, store] = useChoices();
  const ask = (part: Partial<JobListQuery>) => store.dispatch({ query: { ...store.state.query, ...part } });
  const room = useRoom().width >> 1;
  const askFor = ({ name, label, choices }: FilterCounts['values'][number]) => {
    const named = choices.slice(0, MOST_NAMED).map(({ value }) => value);
    promptSearch(dashboard, {
      label: `${label} (${cutToWidth(named.join(', '), room)}): `,
      value: chosenIn(query, name).join(', '),
      change: text => ask({ [name]: readList(text) }),
    });
  };
  const filters = (counts?.values ?? []).map(filter => [
    commandOf('filter', filter.name),
    () => askFor(filter),
  ]);
  const isSwept = chosenGroup(query) !== null;
  const group = isSwept ? null : (job?.group?.id ?? null);
  const toggled = job && toggleCompared(compared, job.id);
  return {
    refresh: () => void refresh(),
    search: () => promptSearch(dashboard, { value: query.search, change: search => ask({ search }) }),
    nextFilter: () => store.dispatch({ query: withStatus(query, nextFilter(chosenStatus(query))) }),
    ...Object.fromEntries(filters),
    ...((isSwept || group) && { toggleSweep: () => ask({ group: group ? [group] : [] }) }),
    // A sweep has fixed columns.
    ...(!sweep && { nextColumns: () => store.dispatch({ page: neighborOf(COLUMN_PAGES, page, 1) }) }),
    ...(canTurn && { nextPage: () => store.dispatch({ showsIds: !showsIds }) }),
    ...(isFiltering(query) && { back: () => store.dispatch({ query: EVERY_JOB }) }),
    ...(compared.length >= LEAST_COMPARED && {
      compare: () => dashboard.go({ tab: 'jobs', id: null, compare: compared }),
    }),
    ...(job && {
      ...editCommands(dashboard, job, () => void refresh()),
      openChosen: () => dashboard.go({ tab: 'jobs', id: job.id }),
      copy: () => dashboard.copy(job.id, 'the job ID'),
      toggleCompared: () =>
        toggled ? store.dispatch({ compared: toggled }) : dashboard.notify(TOO_MANY_COMPARED, 'warning'),
    }),
  };
}

/** The number of jobs, and the runs selected for comparison or else the search text. */
function Status({ choices: { query, compared }, count }: { choices: Choices; count: string }) {
  const asked = queryText(query);
  const hint = `  ${compareHint(compared.length)}${compared.length >= LEAST_COMPARED ? ' C compares them.' : ''}`;
  const isComparing = compared.length > 0;
  return (
    <Line>
      {!isComparing && asked && <Text tone="accent">{`${asked}  `}</Text>}
      <Text dim>{count}</Text>
      {isComparing && hint}
    </Line>
  );
}

/** The settings of the listed jobs, fetched while they are shown. */
function useJobSettings(rows: readonly JobSummary[], isShown: boolean): ReadonlyMap<string, JobSettings> {
  const { client, reach, signal } = useDashboard();
  const [known, store] = useKept('job settings', joined, NONE);
  const [book] = useState(() =>
    createSettingsBook(
      async ids => (await reach(client.listJobSettings(ids, { signal }))).jobs,
      () => store.dispatch(book.known),
    ),
  );
  const want = useCallback(() => book.want(rows.map(idOf)), [book, rows]);
  usePoll(want, isShown ? POLL_MS : null);
  return known;
}

type KnownSettings = ReadonlyMap<string, JobSettings>;
const NONE: KnownSettings = new Map();
const joined = (before: KnownSettings, after: KnownSettings): KnownSettings => new Map([...before, ...after]);
