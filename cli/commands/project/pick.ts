// Finds the one item that a shortened ID means.
import { CommandError } from '../../command-error.js';

interface Wording<Item> {
  noun: string;
  /** The command that lists them. */
  list: string;
  describe(item: Item): string;
}

const SHOWN = 10;

export function pickById<Item extends { id: string }>(
  typed: string,
  items: readonly Item[],
  { noun, list, describe }: Wording<Item>,
): Item {
  const start = typed.toLowerCase();
  const exact = items.find(({ id }) => id.toLowerCase() === start);
  const matches = exact ? [exact] : start ? items.filter(({ id }) => id.toLowerCase().startsWith(start)) : [];
  const [first, ...others] = matches;
  if (!first)
    throw new CommandError(
      `There is no ${noun} "${typed}" in this project. Run "${list}" to see all ${noun}s.`,
    );
  if (others.length === 0) return first;
  const lines = matches.slice(0, SHOWN).map(item => `  ${item.id}  ${describe(item)}`);
  const more = matches.length > SHOWN ? [`  and ${matches.length - SHOWN} more`] : [];
  throw new CommandError(
    [`"${typed}" matches ${matches.length} IDs. Type more of the one you mean:`, ...lines, ...more].join(
      '\n',
    ),
  );
}
