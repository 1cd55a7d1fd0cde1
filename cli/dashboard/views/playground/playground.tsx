// The playground: a conversation with the chosen model and optionally a second one next to it.
import { Box } from 'ink';
import { useLayoutEffect, useState } from 'react';
import {
  type ChatView,
  chatPanes,
  jobLabel,
  modelWarning,
  modeSpans,
  plural,
  samplingText,
  turnRows,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import { List } from '../../components/list.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows, Spans, Text } from '../../components/text.js';
import { Empty, Problem, problemHeight } from '../../components/words.js';
import { useDashboard, useShell } from '../../dashboard-context.js';
import { useList } from '../../hooks/use-list.js';
import { type Scroller, useScroller } from '../../hooks/use-scroller.js';
import type { CommandName, Commands } from '../../keys/bindings.js';
import { useCommands } from '../../keys/commands.js';
import { LabeledField } from '../../screen/foot.js';
import { NoRows, View } from '../../screen/view.js';
import { type Size, useGlyphs, useRoom } from '../../terminal/look.js';
import { type Conversations, useConversations } from './use-conversations.js';

/** The status line and the line of the modes. */
const AROUND = 2;
const CHOOSE_JOB = 'Press p to choose a job.';

/** `job`: the job whose adapter to chat with; the message field is focused. */
export function Playground({ job }: { job: string | null }) {
  const { notify, replace } = useDashboard();
  const { identity } = useShell();
  const { width, height } = useRoom();
  const glyphs = useGlyphs();
  const talk = useConversations();
  const { all, mode, beside, choose, adapter, model, chat, besideChat, commands } = talk;
  const [doing, setDoing] = useState<'reading' | 'writing' | 'picking'>(job ? 'writing' : 'reading');
  const isBase = mode === 'base';
  const lacksJob = !isBase && !model;
  const isPicking = doing === 'picking';
  // Also while there is nothing to write to: the letters of a message must not become commands.
  const isWriting = doing === 'writing';
  const isReading = !isPicking && !isWriting;

  const room = { width, height: height - AROUND };
  const panes = chatPanes(room, beside !== null);
  const first = useChatPane(chat, panes.first, talk.isThoughtOpen);
  const second = useChatPane(besideChat, panes.second, talk.isThoughtOpen);
  const scroll = beside === null ? first.commands : together(first.commands, second.commands);

  useLayoutEffect(() => {
    if (job === null) return;
    choose({ mode: 'adapter', jobId: job });
    setDoing('writing');
    // So that coming back does not choose it again.
    replace({ tab: 'playground', id: null });
  }, [job, choose, replace]);

  function pick(): void {
    setDoing('picking');
    void all.refresh();
  }
  const reading: Commands = {
    ...(chat.turns.length > 0 && scroll),
    ...commands,
    refresh: () => void all.refresh(),
    write: () => (lacksJob ? notify(`No job selected. ${CHOOSE_JOB}`, 'warning') : setDoing('writing')),
    nextMode() {
      choose({ mode: isBase ? 'adapter' : 'base' });
      if (isBase && !adapter) pick();
    },
    pick,
  };
  useCommands(isReading ? ['playground', 'anywhere', 'text'] : [], isReading ? reading : {});

  const toDo = lacksJob
    ? CHOOSE_JOB
    : `Press Enter to write a message. Samples with ${samplingText(talk.sampling)}.`;
  const said = first.isFollowing ? toDo : 'Scrolled up. Press G to follow.';
  const unknown = lacksJob ? CHOOSE_JOB : 'The base model is not known yet.';
  const answering = {
    isBase,
    baseModel: identity?.baseModel ?? null,
    adapter: adapter?.name ?? 'no job selected',
  };
  return (
    <View
      status={<Line dim>{isPicking ? all.jobs && plural(talk.offered.length, 'completed job') : said}</Line>}
      field={isWriting && <Message talk={talk} scroll={scroll} onLeave={() => setDoing('reading')} />}
    >
      <Line>
        <Spans spans={modeSpans(answering, width, glyphs)} />
      </Line>
      {isPicking ? (
        <Picker size={room} talk={talk} onDone={() => setDoing('reading')} />
      ) : (
        <Box flexDirection={panes.isRow ? 'row' : 'column'}>
          {/* Beside another one, the first is told by its model. */}
          <ChatPanel
            {...first}
            title={(beside !== null && model?.name) || 'Conversation'}
            invitation={
              modelWarning(talk.facts) ?? (model ? `Press Enter to write to ${model.name}.` : unknown)
            }
          />
          {beside !== null && (
            <ChatPanel
              {...second}
              title={talk.besideModel?.name ?? 'Second model'}
              invitation="Press B for another second model."
            />
          )}
        </Box>
      )}
    </View>
  );
}

function Message({ talk, scroll, onLeave }: { talk: Conversations; scroll: Commands; onLeave: () => void }) {
  const { draft, choose, send, commands } = talk;
  const { prompt } = useGlyphs();
  const type = (draft: string) => choose({ draft });
  useCommands(
    ['message', 'typing'],
    { ...scroll, submit: send, leaveField: commands.stop ?? onLeave, clearField: () => type('') },
    { isTyping: true },
  );
  return <LabeledField label={`${prompt} `} value={draft} onChange={type} />;
}

/** Makes both conversations scroll together. */
function together(first: Commands, second: Commands): Commands {
  const both = (name: string) => () => {
    for (const commands of [first, second]) commands[name as CommandName]?.();
  };
  return Object.fromEntries(Object.keys({ ...first, ...second }).map(name => [name, both(name)]));
}

interface ChatPane extends Scroller {
  readonly turns: ChatView['turns'];
  readonly isThoughtOpen: boolean;
  readonly size: Size;
}

/** A conversation and its scroll position; a new question scrolls to the end. */
function useChatPane({ turns }: ChatView, size: Size, isThoughtOpen: boolean): ChatPane {
  const { width, height } = insidePanel(size);
  const { caret } = useGlyphs();
  const rowsOf = (item: number) => turnRows(turns[item]!, { width, isThoughtOpen }, caret).length;
  const scroller = useScroller({ first: 0, end: turns.length, rowsOf }, height);
  const { reset } = scroller;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question
  useLayoutEffect(reset, [reset, turns.at(-1)?.key]);
  return { ...scroller, turns, isThoughtOpen, size };
}

interface ChatPanelProps extends ChatPane {
  readonly title: string;
  /** Shown until there is a message. */
  readonly invitation: string;
}

function ChatPanel({ title, invitation, turns, isThoughtOpen, size, rows }: ChatPanelProps) {
  const { caret } = useGlyphs();
  const look = { width: insidePanel(size).width, isThoughtOpen };
  return (
    <Panel title={title} {...size}>
      {turns.length === 0 && <Empty hint={invitation} />}
      <SpanRows rows={rows.map(({ item, row }) => turnRows(turns[item]!, look, caret)[row] ?? [])} />
    </Panel>
  );
}

const idOf = ({ id }: JobSummary) => id;

function Picker({ size, talk, onDone }: { size: Size; talk: Conversations; onDone: () => void }) {
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
