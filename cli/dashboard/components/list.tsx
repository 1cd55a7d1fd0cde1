// The visible rows of a list. The selected row is inverted; clicking a row selects it, and clicking the
// selected row opens it, unless a text field holds the selection.
import { stripVTControlCharacters } from 'node:util';
import { Box, Transform } from 'ink';
import type { ReactNode } from 'react';
import { displayWidth } from '../../../lib/console/index.js';
import { useDashboard } from '../dashboard-context.js';
import type { ListNow } from '../hooks/use-list.js';
import { useKeymap } from '../keys/commands.js';
import { holdsSelection } from '../state/shell-state.js';
import { useRoom } from '../terminal/look.js';
import { Clickable } from './clickable.js';
import { Line } from './text.js';

interface ListProps<Item> {
  readonly list: ListNow<Item>;
  /** The content of an item: one row, or an array of rows. */
  readonly row: (item: Item, isChosen: boolean) => ReactNode | ReactNode[];
  readonly idOf: (item: Item) => string;
}

export function List<Item>({ list, row, idOf }: ListProps<Item>) {
  const { shell } = useDashboard();
  const keymap = useKeymap();
  return (
    <Box flexDirection="column" flexShrink={0}>
      {list.shown.map((item, place) => {
        const index = list.top + place;
        const isChosen = index === list.chosen;
        const click = () => {
          if (holdsSelection(shell.state)) return;
          if (isChosen) keymap.run('openChosen');
          else list.choose(index);
        };
        const rows = row(item, isChosen);
        return (
          <Clickable key={idOf(item)} flexDirection="column" onClick={click}>
            {(Array.isArray(rows) ? rows : [rows]).map((content, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row's lines have no other name
              <Row key={line} isChosen={isChosen}>
                {content}
              </Row>
            ))}
          </Clickable>
        );
      })}
    </Box>
  );
}

/** A list row; inverted across its full width when selected. */
function Row({ isChosen, children }: { isChosen: boolean; children: ReactNode }) {
  const { width } = useRoom();
  if (!isChosen) return <Line>{children}</Line>;
  const fill = (text: string) =>
    text + ' '.repeat(Math.max(0, width - displayWidth(stripVTControlCharacters(text))));
  return (
    <Line inverse>
      <Transform transform={fill}>{children}</Transform>
    </Line>
  );
}
