// Finds the command that a command line names: the longest name that its words start with.
import type { Command } from './command.js';
import { createUsageError } from './command-error.js';
import { suggest } from './suggest.js';

export function findCommand(words: string[], commands: Command[]): Command | undefined {
  return commands
    .filter(({ name }) => startsWith(words, name.split(' ')))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** The commands in the group that these words name: `jobs` has `jobs list`, `jobs show`, … */
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
  return createUsageError(problem, isInGroup ? first : '');
}

function startsWith(words: string[], name: string[]): boolean {
  return name.every((word, index) => words[index] === word);
}
