// The frame of every view, and of list views.
import { Box } from 'ink';
import { type ReactNode, useMemo } from 'react';
import { isAway, type Span } from '../../../lib/console/index.js';
import { List } from '../components/list.js';
import { Line, SpanRows, Spans } from '../components/text.js';
import { Empty, Problem, problemHeight, Spread, Waiting } from '../components/words.js';
import { useShell } from '../dashboard-context.js';
import { type ListNow, type ListOptions, useList } from '../hooks/use-list.js';
import { AT_START, useRows } from '../hooks/use-scroller.js';
import type { Commands, Scope } from '../keys/bindings.js';
import { useCommands } from '../keys/commands.js';
import { RoomContext, useLook, useRoom } from '../terminal/look.js';
import { Foot } from './foot.js';

interface ViewProps {
  /** The view's status line. If it needs more rows, they cover the last rows of the view. */
  readonly status?: ReactNode;
  /** Shown next to a text field in the status line, if it fits. */
  readonly beside?: string;
  /** The view's own text field, in place of its status line. */
  readonly field?: ReactNode;
  readonly children: ReactNode;
}

/** The view's content, and below it the status line. */
export function View({ status, beside, field, children }: ViewProps) {
  const { width, height } = useRoom();
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Box flexDirection="column" flexGrow={1} flexBasis={0} overflowY="hidden">
        <RoomContext.Provider value={{ width, height: height - 1 }}>{children}</RoomContext.Provider>
      </Box>
      <Foot beside={beside} field={field}>
        {status}
      </Foot>
    </Box>
  );
}

interface ListViewProps<Item> extends Omit<ListOptions<Item>, 'height'>, Omit<NoRowsProps, 'text'> {
  readonly title: string;
  /** Text at the right of the title. */
  readonly aside: string | null | undefined;
  readonly status?: string | null;
  /** An error below the title; previous rows stay visible. */
  readonly problem: string | null;
  /** Rows between the title and the list. */
  readonly above?: readonly (readonly Span[])[];
  /** The column titles. */
  readonly columns?: string;
  readonly items: readonly Item[];
  /** One row, cut if it is wider than the view. */
  readonly row: (item: Item) => Span[];
  /** How many of the available rows the details of the selected item get. */
  readonly share?: (room: number) => number;
  readonly below?: (item: Item, height: number) => ReactNode;
  /** Why the list is empty; null if that is not known yet, which shows `Loading…` once `isSlow`. */
  readonly none: string | null;
  /** Scopes in addition to the list's. */
  readonly scopes: readonly Scope[];
  /** Commands in addition to those that move the selection. */
  readonly commands: (list: ListNow<Item>) => Commands;
}

/** A title, the rows, and below them the selected item in full. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { title, aside, status, problem, above = [], columns, items, idOf, row, below, scopes } = props;
  const { width, height } = useRoom();
  // Other rows: the title, a blank row and the status.
  const around = 3 + (columns === undefined ? 0 : 1) + above.length + problemHeight(problem, width);
  const room = height - around;
  const share = props.share?.(room) ?? 0;
  const list = useList(items, { ...props, height: Math.max(1, room - share) });
  useCommands([...scopes, 'list', 'anywhere'], { ...list.commands, ...props.commands(list) });
  return (
    <View status={<Line dim>{status}</Line>}>
      <Spread left={<Line bold>{` ${title}`}</Line>} right={<Line dim>{aside && `${aside} `}</Line>} />
      <Problem text={problem} />
      <SpanRows rows={above} />
      <Line> </Line>
      {list.item ? (
        <>
          {columns !== undefined && <Line dim>{columns}</Line>}
          <Box height={list.height} flexShrink={0} flexDirection="column">
            <List list={list} idOf={idOf} row={item => <Spans spans={row(item)} />} />
          </Box>
          {below?.(list.item, share)}
        </>
      ) : (
        <NoRows text={props.none} hint={props.hint} isSlow={props.isSlow} />
      )}
    </View>
  );
}

interface NoRowsProps {
  /** Why there are no rows; null if that is not known yet. */
  readonly text: string | null;
  /** What to do about it. */
  readonly hint?: string | null | undefined;
  readonly isSlow: boolean;
}

/** A placeholder for missing rows. */
export function NoRows({ text, hint, isSlow }: NoRowsProps) {
  const { link } = useShell();
  const title = text ?? (isAway(link) ? 'Not loaded yet' : null);
  return title === null ? (
    <Waiting isSlow={isSlow} />
  ) : (
    <Empty title={title} {...(text && hint && { hint })} />
  );
}

interface DetailProps<Item> {
  readonly item: Item;
  /** One line about the item. */
  readonly about: string;
  /** A stable function for the component's lifetime. */
  readonly rowsOf: (item: Item, width: number, isColored: boolean) => Span[][];
  /** Includes the two lines above the text. */
  readonly height: number;
  /** Scrolled to the end initially. */
  readonly startsAtEnd?: boolean;
}

/** An item in full, scrollable. Use its ID as the key, so that each one starts fresh. */
export function Detail<Item>({ item, about, rowsOf, height, startsAtEnd = false }: DetailProps<Item>) {
  const { width } = useRoom();
  const { isColored } = useLook();
  const rows = useMemo(() => rowsOf(item, width - 2, isColored), [item, rowsOf, width, isColored]);
  const room = Math.max(1, height - 2);
  const { shown, isWhole, place, commands } = useRows(rows, room, startsAtEnd ? null : AT_START);
  // Scrolls by pages, because the text may be as long as a training row.
  useCommands([], { scrollUp: commands.pageUp, scrollDown: commands.pageDown });
  return (
    <>
      <Spread left={<Line> </Line>} right={!isWhole && <Line dim>{`${place}: K J `}</Line>} />
      <Line dim>{` ${about}`}</Line>
      <Box height={room} flexDirection="column" overflowY="hidden">
        <SpanRows rows={shown.map(spans => [{ text: ' ' }, ...spans])} />
      </Box>
    </>
  );
}
