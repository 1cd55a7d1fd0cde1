// An evaluation: a summary with the verdict, the scores and the matrix of labels, and a page with its rows, worst first.
import { useState } from 'react';
import {
  deleteEvaluationQuestion,
  displayWidth,
  errorText,
  evaluationList,
  evaluationRowCells,
  evaluationRowDetail,
  evaluationRowsTitle,
  evaluationRowTitles,
  evaluationSummary,
  evaluationTitle,
  fitText,
  noEvaluationRows,
  questionText,
} from '../../../../lib/console/index.js';
import type { Evaluation, EvaluationRow } from '../../../../lib/contract/index.js';
import { Line, SpanRows } from '../../components/text.js';
import { Problem, problemHeight, Spread } from '../../components/words.js';
import { useDashboard } from '../../dashboard-context.js';
import { useFetched } from '../../hooks/fetched.js';
import { usePages } from '../../hooks/use-pages.js';
import { useRows } from '../../hooks/use-scroller.js';
import type { Commands } from '../../keys/bindings.js';
import { useCommands } from '../../keys/commands.js';
import { Detail, ListView, NoRows, View } from '../../screen/view.js';
import { useRoom } from '../../terminal/look.js';

const PAGE = 50;

export function EvaluationView({ id }: { id: string }) {
  const { client, reach, signal, shell, ask, replace, notify, copy } = useDashboard();
  const [showsRows, setShowsRows] = useState(false);
  const found = useFetched<Evaluation>(
    `evaluation ${id}`,
    async now => (await now.client.getEvaluation(id, { signal: now.signal })).evaluation,
  );
  const { value } = found;
  const remove = (deleted: Evaluation) =>
    reach(client.deleteEvaluation(id, { signal })).then(
      () => {
        if (id === shell.state.location.id) replace(evaluationList(deleted).location);
      },
      error => {
        if (!signal.aborted) notify(errorText(error), 'failed');
      },
    );
  const commands: Commands = {
    refresh: () => void found.refresh(),
    copy: () => copy(id, 'the evaluation ID'),
    ...(value && {
      nextPage: () => setShowsRows(!showsRows),
      deleteEvaluation: () =>
        ask({ text: questionText(deleteEvaluationQuestion()), yes: () => void remove(value) }),
    }),
  };
  return value && showsRows ? (
    <AskedRows evaluation={value} commands={commands} />
  ) : (
    <Summary {...found} commands={commands} />
  );
}

interface SummaryProps {
  readonly value: Evaluation | null;
  readonly problem: string | null;
  readonly isSlow: boolean;
  readonly commands: Commands;
}

function Summary({ value, problem, isSlow, commands }: SummaryProps) {
  const { width, height } = useRoom();
  const rows = value ? evaluationSummary(value, width - 2) : [];
  // The title, the status and the problem.
  const room = Math.max(1, height - 2 - problemHeight(problem, width));
  const scroller = useRows(rows, room);
  const place = scroller.isWhole ? '' : `${scroller.place} `;
  const title = value ? evaluationTitle(value) : 'Evaluation';
  useCommands(['evaluation', 'text', 'anywhere'], { ...scroller.commands, ...commands });
  return (
    <View status={<Line dim>{value && 'Page 1 of 2; Tab shows the rows'}</Line>}>
      <Spread
        left={<Line bold>{` ${fitText(title, width - 2 - displayWidth(place))}`}</Line>}
        right={<Line dim>{place}</Line>}
      />
      <Problem text={problem} />
      {value ? (
        <SpanRows rows={scroller.shown.map(spans => [{ text: ' ' }, ...spans])} />
      ) : (
        <NoRows text={null} isSlow={isSlow} />
      )}
    </View>
  );
}

function AskedRows({ evaluation, commands }: { evaluation: Evaluation; commands: Commands }) {
  const { width } = useRoom();
  const isCompared = evaluation.comparison !== null;
  const [changed, setChanged] = useState(isCompared);
  const name = `rows of evaluation ${evaluation.id} ${changed}`;
  const { value, problem, isSlow, items, refresh, onEnd } = usePages(
    name,
    async ({ client, signal }, cursor) => {
      const asked = { changed, limit: PAGE, cursor };
      const { rows, ...found } = await client.listEvaluationRows(evaluation.id, asked, { signal });
      return { ...found, items: rows };
    },
  );
  return (
    <ListView<EvaluationRow>
      {...{ name, items, onEnd, problem, isSlow }}
      title={evaluationRowsTitle(evaluation, changed)}
      aside={null}
      status="Page 2 of 2; Tab shows the summary"
      columns={evaluationRowTitles(evaluation, width)}
      idOf={({ row }) => String(row)}
      row={row => evaluationRowCells(row, evaluation, width)}
      share={room => Math.max(4, Math.floor(room * 0.5))}
      below={(row, height) => (
        <Detail
          key={row.row}
          item={row}
          about={`Row ${row.row}`}
          rowsOf={(item, room) => evaluationRowDetail(item, evaluation, room)}
          height={height}
        />
      )}
      none={value && noEvaluationRows(changed)}
      scopes={['evaluation']}
      commands={() => ({
        ...commands,
        refresh,
        ...(isCompared && { nextFilter: () => setChanged(!changed) }),
      })}
    />
  );
}
