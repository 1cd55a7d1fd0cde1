// The help screen: the bindings, grouped by scope, and the mouse actions.
import { Box } from 'ink';
import { type Glyphs, type HelpGroup, helpColumns } from '../../../../lib/console/index.js';
import { Line, Spans } from '../../components/text.js';
import { rowsSource } from '../../hooks/use-scroller.js';
import { type Bound, inScope, SCOPES, type Scope } from '../../keys/bindings.js';
import { keyLabel } from '../../keys/key-names.js';
import { useGlyphs } from '../../terminal/look.js';
import { Reader, useReaderRoom } from './reader.js';

interface HelpProps {
  /** The scopes of the view behind it, listed first. */
  readonly here: readonly Scope[];
  readonly hasMouse: boolean;
  readonly hasShell: boolean;
}

export function Help({ here, hasMouse, hasShell }: HelpProps) {
  const inside = useReaderRoom();
  const columns = helpColumns(groupsOf({ here, hasMouse, hasShell }, useGlyphs()), inside.width);
  const width = Math.floor(inside.width / columns.length);
  const count = Math.max(...columns.map(({ length }) => length));
  const status = <Line dim>Shortcuts are off while typing.</Line>;
  return (
    <Reader title="Keys" status={status} source={rowsSource(count)}>
      {rows =>
        rows.map(({ item }) => (
          <Box key={item} flexShrink={0}>
            {columns.map((rows, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
              <Line key={column} width={width}>
                {rows[item] ? <Spans spans={rows[item]} /> : ' '}
              </Line>
            ))}
          </Box>
        ))
      }
    </Reader>
  );
}

/** The groups, starting with those of the current view. */
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
