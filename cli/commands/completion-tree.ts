// The table of commands as shells complete it: words, and what may follow each.
import type { Command } from '../command.js';
import { countArguments, optionsOf } from '../options.js';

export interface CompletionTree {
  /** The first words: commands and groups of commands. */
  words: Word[];
}

export interface Word {
  name: string;
  summary: string;
  /** The command's options and arguments; null for a group. */
  command: Leaf | null;
  /** The commands in a group, or the ones that the command's argument may name. */
  words: InnerWord[];
}

type InnerWord = Word & { command: Leaf };

export interface Leaf {
  options: { flag: string; summary: string; takesValue: boolean; choices: readonly string[] }[];
  /** The allowed words for the first argument, the second, …; empty where anything is allowed. */
  arguments: (readonly string[])[];
}

export function toCompletionTree(commands: readonly Command[]): CompletionTree {
  return { words: firstWords(commands).map(first => toWord(first, commands)) };
}

function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
}

function toWord(first: string, commands: readonly Command[]): Word {
  const own = commands.find(({ name }) => name === first);
  return {
    name: first,
    summary: summaryOf(first, commands),
    command: own ? toLeaf(own) : null,
    words: own?.takesCommand ? toNames(own, commands) : groupWords(first, commands),
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

/** What follows a command that takes another's name: first words, and after a group's name its commands. */
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
  const { argumentChoices = {} } = command;
  return {
    options: Object.entries(optionsOf(command)).map(([name, { type, summary, choices: values = [] }]) => ({
      flag: `--${name}`,
      summary,
      takesValue: type === 'string',
      choices: values,
    })),
    arguments: Array.from(
      { length: countArguments(command).max },
      (_, place) => argumentChoices[place] ?? [],
    ),
  };
}

/** Every command by its full name: `build`, `jobs list`. */
export function leavesOf({ words }: CompletionTree): (readonly [name: string, leaf: Leaf])[] {
  return words.flatMap(({ name, command, words: inner }) => [
    ...(command ? [[name, command] as const] : []),
    ...inner.map(word => [`${name} ${word.name}`, word.command] as const),
  ]);
}
