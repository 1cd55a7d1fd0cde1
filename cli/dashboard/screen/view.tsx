// The frame of every view, and that of views that are a list.
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
  /** The view's own line. What does not fit there covers the last rows of the view. */
  readonly status?: ReactNode;
  /** What is said beside a text field in its place, where it fits. */
  readonly beside?: string;
  /** A text field of the view's own, in the place of its line. */
  readonly field?: ReactNode;
  readonly children: ReactNode;
}

/** Its parts, and below them a line of its own. */
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
  /** At the right of the title. */
  readonly aside: string | null | undefined;
  readonly status?: string | null;
  /** Below the title; the rows from before stay. */
  readonly problem: string | null;
  /** Rows below the title. */
  readonly above?: readonly (readonly Span[])[];
  /** The titles of the columns. */
  readonly columns?: string;
  readonly items: readonly Item[];
  /** In one line; what is wider than the view is cut. */
  readonly row: (item: Item) => Span[];
  /** How much of the room for the rows and the selected one in full the latter gets. */
  readonly share?: (room: number) => number;
  readonly below?: (item: Item, height: number) => ReactNode;
  /** Why there are no rows; null while it is unknown: then `Loading…` is shown once `isSlow`. */
  readonly none: string | null;
  /** Besides those of a list. */
  readonly scopes: readonly Scope[];
  /** Those that move the selection are there already. */
  readonly commands: (list: ListNow<Item>) => Commands;
}

/** A title, the rows, and below them the selected one in full. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { title, aside, status, problem, above = [], columns, items, idOf, row, below, scopes } = props;
  const { width, height } = useRoom();
  // Besides: the title, a blank row and the status.
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
  /** Why there are none; null while it is unknown. */
  readonly text: string | null;
  /** What to do about it. */
  readonly hint?: string | null | undefined;
  readonly isSlow: boolean;
}

/** Where rows would be. */
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
  /** What is said of it, in one line. */
  readonly about: string;
  /** The same function as long as the component is mounted. */
  readonly rowsOf: (item: Item, width: number, isColored: boolean) => Span[][];
  /** With the two lines above the text. */
  readonly height: number;
  /** Shows the end at first. */
  readonly startsAtEnd?: boolean;
}

/** A row in full; what does not fit scrolls. With the row's ID as its key, each starts anew. */
export function Detail<Item>({ item, about, rowsOf, height, startsAtEnd = false }: DetailProps<Item>) {
  const { width } = useRoom();
  const { isColored } = useLook();
  const rows = useMemo(() => rowsOf(item, width - 2, isColored), [item, rowsOf, width, isColored]);
  const room = Math.max(1, height - 2);
  const { shown, isWhole, place, commands } = useRows(rows, room, startsAtEnd ? null : AT_START);
  // By pages, for a text may be as long as a row to train on.
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
