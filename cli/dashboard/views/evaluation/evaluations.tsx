// The evaluations of a job or an endpoint, newest first.
import {
  evaluateHint,
  evaluationCells,
  evaluationLine,
  evaluationTitles,
  NO_EVALUATIONS,
  plural,
  shortId,
} from '../../../../lib/console/index.js';
import type { Evaluation } from '../../../../lib/contract/index.js';
import { useDashboard } from '../../dashboard-context.js';
import { useFetched } from '../../hooks/fetched.js';
import { ListView } from '../../screen/view.js';
import { useRoom } from '../../terminal/look.js';

interface Found {
  readonly evaluations: readonly Evaluation[];
  /** What to type after `svc eval`. */
  readonly word: string;
}

export function Evaluations({ tab, id }: { tab: 'jobs' | 'endpoints'; id: string }) {
  const { clock, go, copy } = useDashboard();
  const { width } = useRoom();
  const name = `evaluations of ${tab} ${id}`;
  const { value, problem, isSlow, refresh } = useFetched<Found>(name, async ({ client, signal }) => {
    const slug = tab === 'endpoints' ? (await client.getDeployment(id, { signal })).deployment.slug : null;
    const filter = slug === null ? { jobId: id } : { endpoint: slug };
    const { evaluations } = await client.listEvaluations(filter, { signal });
    return { evaluations, word: slug ?? shortId(id) };
  });
  const items = value?.evaluations ?? [];
  const now = new Date(clock.now());
  return (
    <ListView
      {...{ name, items, problem, isSlow }}
      title="Evaluations"
      aside={value && plural(items.length, 'evaluation')}
      columns={evaluationTitles(width)}
      idOf={({ id: own }) => own}
      row={evaluation => evaluationCells(evaluation, now, width)}
      none={value && NO_EVALUATIONS}
      hint={value && `Make one with \`${evaluateHint(value.word)}\`.`}
      scopes={['evaluations']}
      commands={({ item }) => ({
        refresh,
        ...(item && {
          openChosen: () => go({ tab: 'jobs', id: item.id, evaluation: true }),
          copy: () => copy(item.id, `the ID of ${evaluationLine(item, now).shortId}`),
        }),
      })}
    />
  );
}
