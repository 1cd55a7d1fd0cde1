// An endpoint's kept requests: view, mark and correct them.
import { useState } from 'react';
import {
  deleteKeptQuestion,
  discardQuestion,
  errorText,
  KEPT_FILTERS,
  type KeptFilter,
  keptCells,
  keptDetail,
  keptFigures,
  keptFilterText,
  keptTitles,
  noKeptText,
  questionText,
  skippedText,
  toCorrection,
  withKept,
} from '../../../../lib/console/index.js';
import type { KeptRequest, KeptRequestChange } from '../../../../lib/contract/index.js';
import { useDashboard } from '../../dashboard-context.js';
import { promptEdit } from '../../hooks/prompts.js';
import { neighborOf } from '../../hooks/use-list.js';
import { usePages } from '../../hooks/use-pages.js';
import type { Commands } from '../../keys/bindings.js';
import { Detail, ListView } from '../../screen/view.js';
import { useRoom } from '../../terminal/look.js';

const PAGE = 50;
const FILTERS = KEPT_FILTERS.map(({ mark }) => mark);

export function Kept({ deploymentId }: { deploymentId: string }) {
  const { width } = useRoom();
  const [filter, setFilter] = useState<KeptFilter>(undefined);
  const name = `kept by ${deploymentId} ${filter}`;
  const pages = usePages(name, async ({ client, signal }, cursor) => {
    const asked = { mark: filter, limit: PAGE, cursor };
    const { requests, ...found } = await client.listKeptRequests(deploymentId, asked, { signal });
    return { ...found, items: requests };
  });
  const { value, problem, isSlow, items, refresh, onEnd } = pages;
  const changes = useChanges(deploymentId, changed => pages.update(found => withKept(found, changed)));
  return (
    <ListView
      {...{ name, items, onEnd, problem, isSlow }}
      title="Kept requests"
      aside={value && keptFilterText(filter, value.counts)}
      status={skippedText(value?.skipped ?? 0)}
      columns={keptTitles(width)}
      idOf={({ id }) => id}
      row={request => keptCells(request, width)}
      share={room => Math.max(4, Math.floor(room * 0.5))}
      below={(request, height) => (
        // If the conversation does not fit, its end matters most.
        <Detail
          key={request.id}
          item={request}
          about={keptFigures(request).details}
          rowsOf={keptDetail}
          height={height}
          startsAtEnd
        />
      )}
      none={value && noKeptText(filter)}
      scopes={['kept']}
      commands={({ item, chosen, choose, isChosen }) => ({
        refresh,
        nextFilter: () => setFilter(neighborOf(FILTERS, filter, 1)),
        ...(item &&
          changes(item, () => {
            if (isChosen(item)) choose(chosen < items.length - 1 ? chosen + 1 : chosen - 1);
            void refresh();
          })),
      })}
    />
  );
}

/** The commands for a request. */
function useChanges(deploymentId: string, onChanged: (request: KeptRequest) => void) {
  const dashboard = useDashboard();
  const { client, reach, signal, ask, copy, notify } = dashboard;
  /** Whether it was done. */
  const orNotify = (done: Promise<void>): Promise<boolean> =>
    done.then(
      () => true,
      error => {
        if (!signal.aborted) notify(errorText(error), 'failed');
        return false;
      },
    );
  const change = ({ id }: KeptRequest, to: KeptRequestChange) =>
    orNotify(
      reach(client.updateKeptRequest(deploymentId, id, to, { signal })).then(({ request }) =>
        onChanged(request),
      ),
    );
  const remove = ({ id }: KeptRequest, onDeleted: () => void) =>
    void orNotify(reach(client.deleteKeptRequest(deploymentId, id, { signal })).then(onDeleted));

  return (request: KeptRequest, onDeleted: () => void): Commands => {
    const mark = (to: 'good' | 'bad' | 'none') => () => {
      const yes = () => void change(request, { mark: to });
      if (request.correction) ask({ text: questionText(discardQuestion()), yes });
      else yes();
    };
    const said = (request.correction ?? request.answer).content ?? '';
    return {
      copy: () => copy(request.id, 'the request ID'),
      markGood: mark('good'),
      markBad: mark('bad'),
      unmark: mark('none'),
      correct: () =>
        promptEdit(dashboard, {
          scope: 'correction',
          label: 'Correct answer: ',
          value: said,
          textOf: text => text,
          async save(text) {
            const correction = toCorrection(text);
            return correction && (await change(request, { correction })) ? text : null;
          },
        }),
      deleteKept: () =>
        ask({ text: questionText(deleteKeptQuestion()), yes: () => remove(request, onDeleted) }),
    };
  };
}
