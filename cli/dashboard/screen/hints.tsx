// The hint line, from the table of bindings: the keys available here, as far as they fit, then the pinned
// ones.
import { Box } from 'ink';
import { displayWidth } from '../../../lib/console/index.js';
import { Clickable } from '../components/clickable.js';
import { Line, Text } from '../components/text.js';
import { bindingsIn, type CommandName } from '../keys/bindings.js';
import { useKeymapNow } from '../keys/commands.js';
import { keysLabel } from '../keys/key-names.js';
import { useGlyphs, useRoom } from '../terminal/look.js';

/** The gap between the view's hints and the pinned ones, in columns. */
const APART = 3;
/** The gap between two hints. */
const GAP = 2;

/** `isHidden`: hides a command's hint; the key still works. */
export function Hints({ isHidden }: { isHidden: (command: CommandName) => boolean }) {
  const keymap = useKeymapNow();
  const { width } = useRoom();
  const { arrows } = useGlyphs();
  const hinted = bindingsIn(keymap.scopes)
    .filter(({ hint, command }) => hint !== undefined && keymap.offers(command) && !isHidden(command))
    .map(bound => {
      const label = keysLabel(bound.hintKeys ?? bound.keys.slice(0, 1), { arrows });
      return { ...bound, label, width: displayWidth(`${label} ${bound.hint}`) };
    });
  const pinned = hinted.filter(({ isPinned }) => isPinned);
  let room = width - 2 - APART - pinned.reduce((sum, { width }) => sum + width + GAP, -GAP);
  const fitting = hinted.filter(({ isPinned, width }) => {
    const fits = !isPinned && width <= room;
    if (fits) room -= width + GAP;
    return fits;
  });
  const row = (hints: typeof hinted) => (
    <Box gap={GAP}>
      {hints.map(({ scope, command, hintKeys, label, hint }) => (
        // A hint with a single key is clickable.
        <Clickable
          key={`${scope} ${command}`}
          isAlways
          onClick={hintKeys ? undefined : () => void keymap.run(command)}
        >
          <Line>
            <Text bold>{label}</Text>
            <Text dim>{` ${hint}`}</Text>
          </Line>
        </Clickable>
      ))}
    </Box>
  );
  return (
    <Box height={1} flexShrink={0} paddingX={1} justifyContent="space-between" overflow="hidden">
      {row(fitting)}
      {row(pinned)}
    </Box>
  );
}
