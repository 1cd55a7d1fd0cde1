// Finds the command that a command line names, by the longest matching name, and suggests names for mistyped
// ones.
import { type Command, UsageError } from './command.js';

export function findCommand(words: string[], commands: Command[]): Command | undefined {
  return commands
    .filter(({ name }) => startsWith(words, name.split(' ')))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** The commands in the group with this name: `jobs` contains `jobs list`, `jobs show`, … */
export function findGroup(words: string[], commands: Command[]): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `));
}

export function createUnknownCommandError(words: string[], commands: Command[]): Error {
  const [first = '', second] = words;
  const isInGroup = second !== undefined && findGroup([first], commands).length > 0;
  const typed = isInGroup ? `${first} ${second}` : first;
  const names = commands.flatMap(({ name }) => (isInGroup ? name : [name, name.split(' ')[0]!]));
  const guess = suggest(typed, names);
  const problem = `unknown command "${typed}".${guess ? ` Did you mean "${guess}"?` : ''}`;
  return new UsageError(problem, isInGroup ? first : undefined);
}

function startsWith(words: string[], name: string[]): boolean {
  return name.every((word, index) => words[index] === word);
}

/** The closest known name, unless more than a third of the letters differ. */
export function suggest(typed: string, names: string[]): string | undefined {
  const [best] = names
    .map(name => ({ name, distance: measureDistance(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.max(typed.length, name.length) / 3)
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** Damerau-Levenshtein: letters added, removed, replaced, or swapped with their neighbor. */
function measureDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
