// The help screen: the table of bindings, grouped by scope, and what the mouse does.
import { Box } from 'ink';
import { type Glyphs, type HelpGroup, helpColumns } from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, Spans } from '../../components/text.js';
import { useDashboard } from '../../dashboard-context.js';
import { AT_START, rowsSource, useScroller } from '../../hooks/use-scroller.js';
import { type Bound, inScope, SCOPES, type Scope } from '../../keys/bindings.js';
import { useCommands } from '../../keys/commands.js';
import { keyLabel } from '../../keys/key-names.js';
import { View } from '../../screen/view.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';

interface HelpProps {
  /** The scopes of the view that it covers, which come first. */
  readonly here: readonly Scope[];
  readonly hasMouse: boolean;
  readonly hasShell: boolean;
}

export function Help({ here, hasMouse, hasShell }: HelpProps) {
  const room = useRoom();
  const glyphs = useGlyphs();
  const { shell } = useDashboard();
  const inside = insidePanel({ ...room, height: room.height - 1 });
  const columns = helpColumns(groupsOf({ here, hasMouse, hasShell }, glyphs), inside.width);
  const width = Math.floor(inside.width / columns.length);
  const count = Math.max(...columns.map(({ length }) => length));
  const scroller = useScroller(rowsSource(count), inside.height, AT_START);
  const leaveReader = () => shell.dispatch({ reader: null });
  useCommands(['text', 'reader'], { ...scroller.commands, leaveReader }, { layer: 'reader' });
  return (
    <View status={<Line dim>Shortcuts are off while typing.</Line>}>
      <Panel title="Keys" width={room.width} height={room.height - 1}>
        {scroller.rows.map(({ item }) => (
          <Box key={item} flexShrink={0}>
            {columns.map((rows, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
              <Line key={column} width={width}>
                {rows[item] ? <Spans spans={rows[item]} /> : ' '}
              </Line>
            ))}
          </Box>
        ))}
      </Panel>
    </View>
  );
}

/** What is here first. */
function groupsOf({ here, hasMouse, hasShell }: HelpProps, glyphs: Glyphs): HelpGroup[] {
  const scopes = new Set([...here, ...(Object.keys(SCOPES) as Scope[])]);
  const isThere = ({ command }: Bound) => hasShell || command !== 'commandLine';
  const labelOf = ({ keys }: Bound) => keys.map(key => keyLabel(key, glyphs)).join(' ');
  if (!hasShell) scopes.delete('commandLine');
  const groups = [...scopes].map(scope => ({
    title: SCOPES[scope],
    entries: inScope(scope)
      .filter(isThere)
      .map(bound => [labelOf(bound), bound.does] as const),
  }));
  return hasMouse ? [...groups, MOUSE] : groups;
}

const MOUSE: HelpGroup = {
  title: 'Mouse',
  entries: [
    ['Wheel', 'Scroll, or move through the list'],
    ['Click', 'Select a row, or open it if it is selected; tabs and hints, too'],
    ['Shift-drag', 'Select text, in most terminals; svc dev --no-mouse does without'],
  ],
};
