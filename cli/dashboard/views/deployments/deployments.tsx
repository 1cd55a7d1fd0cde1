// The endpoints, or the form that creates one.
import { useLayoutEffect, useState } from 'react';
import { deploymentTable, operationUrl, plural } from '../../../../lib/console/index.js';
import type { Deployment } from '../../../../lib/contract/index.js';
import { List } from '../../components/list.js';
import { Line, Spans } from '../../components/text.js';
import { Problem, problemHeight } from '../../components/words.js';
import { useDashboard } from '../../dashboard-context.js';
import { type FetchedNow, useFetched } from '../../hooks/fetched.js';
import { useList, useSelect } from '../../hooks/use-list.js';
import { useCommands } from '../../keys/commands.js';
import { NoRows, View } from '../../screen/view.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';
import { Form } from './form.js';
import { noProblems, useForm } from './use-form.js';

/** The name under which the list and its selection are kept. */
const LIST = 'endpoints';
const idOf = ({ id }: Deployment) => id;

/** `job`: the job whose final adapter to publish. */
export function Deployments({ job }: { job: string | null }) {
  const deployments = useFetched<readonly Deployment[]>(
    LIST,
    async ({ client, signal }) => (await client.listDeployments({ signal })).deployments,
  );
  const { replace } = useDashboard();
  const [isAsked, setAsked] = useState(job !== null);
  const [, form] = useForm();
  const select = useSelect(LIST);
  useLayoutEffect(() => {
    if (job === null) return;
    form.dispatch({ ...noProblems, draft: { ...form.state.draft, kind: 'final', jobId: job } });
    setAsked(true);
    // So that coming back does not open the form again.
    replace({ tab: 'endpoints', id: null });
  }, [form, job, replace]);
  function open(): void {
    form.dispatch(noProblems);
    setAsked(true);
  }
  function onCreated(id: string, isWanted: boolean): void {
    if (isWanted) {
      select(id);
      setAsked(false);
    }
    void deployments.refresh();
  }
  if (isAsked) return <Form close={() => setAsked(false)} onCreated={onCreated} />;
  return <Endpoints {...deployments} open={open} />;
}

interface EndpointsProps extends FetchedNow<readonly Deployment[]> {
  readonly open: () => void;
}

function Endpoints({ value, problem, isSlow, refresh, open }: EndpointsProps) {
  const { go, copy } = useDashboard();
  const { width, height } = useRoom();
  const table = deploymentTable(value ?? [], width, useGlyphs());
  const list = useList(value ?? [], {
    name: LIST,
    height: Math.max(1, Math.floor((height - 2 - problemHeight(problem, width)) / table.rowsEach)),
    idOf,
  });
  const { item } = list;
  useCommands(['deployments', 'list', 'anywhere'], {
    ...list.commands,
    refresh: () => void refresh(),
    newEndpoint: open,
    ...(item && {
      openChosen: () => go({ tab: 'endpoints', id: item.id }),
      copy: () => copy(operationUrl(item), 'the endpoint URL'),
    }),
  });
  return (
    <View status={value && <Line dim>{plural(value.length, 'endpoint')}</Line>}>
      <Line dim>{table.titles}</Line>
      <Problem text={problem} />
      {item ? (
        <List
          list={list}
          idOf={idOf}
          row={one => table.rows(one).map(spans => <Spans key={spans[0]?.text} spans={spans} />)}
        />
      ) : (
        <NoRows
          text={value && 'No endpoints yet'}
          hint="Press n to publish an adapter or the base model at a URL."
          isSlow={isSlow}
        />
      )}
    </View>
  );
}
