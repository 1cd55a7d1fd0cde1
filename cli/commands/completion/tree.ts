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
  /** The commands of a group, or those that the command may name. */
  words: InnerWord[];
}

type InnerWord = Word & { command: Leaf };

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
  return {
    name: first,
    summary: summaryOf(first, commands),
    command: own ? toLeaf(own) : null,
    words: own?.positionals?.isCommand ? toNames(own, commands) : groupWords(first, commands),
  };
}

function groupWords(first: string, commands: readonly Command[]): InnerWord[] {
  return commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(command => ({
      name: command.name.slice(first.length + 1),
      summary: command.summary,
      command: toLeaf(command),
      words: [],
    }));
}

/** Behind a command that takes the name of another: first words, and behind that of a group its commands. */
function toNames(command: Command, commands: readonly Command[]): InnerWord[] {
  return firstWords(commands).map(name => ({
    name,
    summary: summaryOf(name, commands),
    command: { ...toLeaf(command), arguments: [namesIn(name, commands)] },
    words: [],
  }));
}

function summaryOf(first: string, commands: readonly Command[]): string {
  return commands.find(({ name }) => name === first)?.summary ?? namesIn(first, commands).join(', ');
}

function namesIn(group: string, commands: readonly Command[]): string[] {
  return groupWords(group, commands).map(({ name }) => name);
}

function toLeaf(command: Command): Leaf {
  const { max = 0, choices = {} } = command.positionals ?? {};
  return {
    options: Object.entries(optionsOf(command)).map(([name, { type, summary, choices: values = [] }]) => ({
      flag: `--${name}`,
      summary,
      takesValue: type === 'string',
      choices: values,
    })),
    arguments: Array.from({ length: max }, (_, place) => choices[place] ?? []),
  };
}

/** Every command by its whole name: `build`, `jobs list`. */
export function leavesOf({ words }: CompletionTree): (readonly [name: string, leaf: Leaf])[] {
  return words.flatMap(({ name, command, words: inner }) => [
    ...(command ? [[name, command] as const] : []),
    ...inner.map(word => [`${name} ${word.name}`, word.command] as const),
  ]);
}
