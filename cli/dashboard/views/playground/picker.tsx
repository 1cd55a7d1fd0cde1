// Chooses the job whose adapter to chat with.
import { useLayoutEffect } from 'react';
import { jobLabel } from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import { List } from '../../components/list.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Problem, problemHeight } from '../../components/words.js';
import { useList } from '../../hooks/use-list.js';
import { useCommands } from '../../keys/commands.js';
import { NoRows } from '../../screen/view.js';
import type { Size } from '../../terminal/look.js';
import type { Conversations } from './use-conversations.js';

const idOf = ({ id }: JobSummary) => id;

export function Picker({ size, talk, onDone }: { size: Size; talk: Conversations; onDone: () => void }) {
  const { all, offered, jobId, choose } = talk;
  const inside = insidePanel(size);
  const height = inside.height - problemHeight(all.problem, inside.width);
  const list = useList(offered, { name: 'playground', height, idOf });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is opened
  useLayoutEffect(() => list.choose(offered.findIndex(({ id }) => id === jobId)), []);
  const { item } = list;
  function openChosen(): void {
    choose({ mode: 'adapter', jobId: item!.id });
    onDone();
  }
  useCommands(['picker', 'list', 'anywhere'], {
    ...list.commands,
    leavePicker: onDone,
    refresh: () => void all.refresh(),
    openChosen: item && openChosen,
  });
  return (
    <Panel title="Completed jobs" {...size}>
      <Problem text={all.problem} />
      <List list={list} idOf={idOf} row={job => <Text>{jobLabel(job)}</Text>} />
      {!item && (
        <NoRows
          text={all.jobs && 'No completed jobs yet'}
          hint="Press Esc, then R, to run training."
          isSlow={all.isSlow}
        />
      )}
    </Panel>
  );
}
