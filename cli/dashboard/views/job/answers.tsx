// The answers of a step with their rewards, in the place of a job's event log.
import { useMemo } from 'react';
import {
  answersNote,
  answersStepLabel,
  groupRows,
  neighborAnswers,
  noAnswersText,
  type Span,
  shownGroups,
  shownStatus,
} from '../../../../lib/console/index.js';
import { isFinalStatus } from '../../../../lib/contract/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows } from '../../components/text.js';
import { Empty, Problem, problemHeight, Waiting } from '../../components/words.js';
import { POLL_MS, useFetched } from '../../hooks/fetched.js';
import { useRows } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import type { PartProps } from './page.js';

const LEAVE = 'A shows the event log';

export function Answers({ id, job, state, set, ...size }: PartProps & { id: string }) {
  const { width, height } = insidePanel(size);
  const { sampleStep } = state;
  const status = shownStatus(job);
  const isGoing = status !== null && !isFinalStatus(status);
  const { value, problem, isSlow } = useFetched(
    `answers of ${id} ${sampleStep ?? 'last'} ${isGoing}`,
    ({ client, signal }) => client.listJobAnswers(id, { step: sampleStep ?? undefined, signal }),
    { everyMs: isGoing ? POLL_MS : null },
  );
  const rows = useMemo(
    () => (value ? shownGroups(value).flatMap((group, at) => separated(groupRows(group, width), at)) : []),
    [value, width],
  );
  const { shown, isWhole, place, commands } = useRows(rows, height - 1 - problemHeight(problem, width));
  const show = (direction: -1 | 1) => {
    const next = value && neighborAnswers(value, direction);
    return next === null ? undefined : () => set({ sampleStep: next === value?.steps.at(-1) ? null : next });
  };
  useCommands([], { ...commands, previousSample: show(-1), nextSample: show(1) });
  const step = value ? answersStepLabel(value) : '';
  return (
    <Panel
      title={step === '' ? 'Answers' : `Answers: ${step}`}
      {...size}
      aside={isWhole ? LEAVE : [`${place} · ${LEAVE}`, place]}
    >
      <Problem text={problem} />
      {value === null ? (
        problem === null && <Waiting isSlow={isSlow} />
      ) : value.step === null ? (
        <Empty hint={noAnswersText(job.polled?.config)} />
      ) : (
        <>
          <Line dim>{answersNote(value)}</Line>
          <SpanRows rows={shown} />
        </>
      )}
    </Panel>
  );
}

/** With an empty row before each but the first. */
function separated(rows: Span[][], at: number): Span[][] {
  return at === 0 ? rows : [[{ text: '' }], ...rows];
}
