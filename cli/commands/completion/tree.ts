// The table of commands as the shells complete it: words, and under each what may follow.
import type { Command } from '../../command.js';
import { optionsOf } from '../../help.js';

export interface CompletionTree {
  /** The first words: commands, and groups of commands. */
  words: Word[];
}

export interface Word {
  name: string;
  summary: string;
  /** What the command takes; null for a group. */
  command: Leaf | null;
  /** The commands of a group. */
  words: (Word & { command: Leaf })[];
}

export interface Leaf {
  options: { flag: string; summary: string; takesValue: boolean; choices: readonly string[] }[];
  /** The words that the first argument may be, then those of the second, …; none where it can be anything. */
  arguments: (readonly string[])[];
}

export function toCompletionTree(commands: readonly Command[]): CompletionTree {
  return { words: firstWords(commands).map(first => toWord(first, commands)) };
}

/** Of commands and of groups. */
function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
}

function toWord(first: string, commands: readonly Command[]): Word {
  const own = commands.find(({ name }) => name === first);
  const words = commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(command => ({
      name: command.name.slice(first.length + 1),
      summary: command.summary,
      command: toLeaf(command, commands),
      words: [],
    }));
  const summary = own?.summary ?? words.map(({ name }) => name).join(', ');
  return { name: first, summary, command: own ? toLeaf(own, commands) : null, words };
}

function toLeaf(command: Command, commands: readonly Command[]): Leaf {
  const { max = 0, choices = {}, isCommand } = command.positionals ?? {};
  const known: Readonly<Record<number, readonly string[]>> = isCommand ? [firstWords(commands)] : choices;
  return {
    options: Object.entries(optionsOf(command)).map(([name, { type, summary, choices: values = [] }]) => ({
      flag: `--${name}`,
      summary,
      takesValue: type === 'string',
      choices: values,
    })),
    arguments: Array.from({ length: max }, (_, place) => known[place] ?? []),
  };
}

/** Every command by its whole name: `build`, `jobs list`. */
export function leavesOf({ words }: CompletionTree): (readonly [name: string, leaf: Leaf])[] {
  return words.flatMap(({ name, command, words: inner }) => [
    ...(command ? [[name, command] as const] : []),
    ...inner.map(word => [`${name} ${word.name}`, word.command] as const),
  ]);
}
