// A conversation in a panel.
import { useLayoutEffect } from 'react';
import { type ChatView, turnRows } from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { SpanRows } from '../../components/text.js';
import { Empty } from '../../components/words.js';
import { type Scroller, useScroller } from '../../hooks/use-scroller.js';
import { type Size, useGlyphs } from '../../terminal/look.js';

interface ChatPane extends Scroller {
  readonly turns: ChatView['turns'];
  readonly size: Size;
}

/** A conversation and how far it is scrolled; another question follows the end again. */
export function useChatPane({ turns }: ChatView, size: Size): ChatPane {
  const { width, height } = insidePanel(size);
  const { caret } = useGlyphs();
  const rowsOf = (item: number) => turnRows(turns[item]!, width, caret).length;
  const scroller = useScroller({ first: 0, end: turns.length, rowsOf }, height);
  const { reset } = scroller;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question
  useLayoutEffect(reset, [reset, turns.at(-1)?.key]);
  return { ...scroller, turns, size };
}

interface ChatPanelProps extends ChatPane {
  readonly title: string;
  /** Shown until something is said. */
  readonly invitation: string;
}

export function ChatPanel({ title, invitation, turns, size, rows }: ChatPanelProps) {
  const { caret } = useGlyphs();
  const { width } = insidePanel(size);
  return (
    <Panel title={title} {...size}>
      {turns.length === 0 && <Empty hint={invitation} />}
      <SpanRows rows={rows.map(({ item, row }) => turnRows(turns[item]!, width, caret)[row] ?? [])} />
    </Panel>
  );
}
