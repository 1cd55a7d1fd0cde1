// The command table in the form that shell completion needs: words, and what may follow each.
import type { Command } from '../command.js';
import { countArguments, optionsOf } from '../options.js';

/** A command, a group, or a word that may follow a group or a command that takes another command's name. */
export interface Word {
  name: string;
  summary: string;
  /** What may follow it; null for a group. */
  command: Leaf | null;
  words: (Word & { command: Leaf })[];
}

export interface Leaf {
  options: { flag: string; summary: string; takesValue: boolean; choices: readonly string[] }[];
  /** The allowed words for the first argument, the second, …; empty where anything is allowed. */
  arguments: (readonly string[])[];
}

export function toCompletionTree(commands: readonly Command[]): Word[] {
  const firstWords = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
  const outline = firstWords.map((name): Word => {
    const own = commands.find(command => command.name === name);
    const words = commands
      .filter(command => command.name.startsWith(`${name} `))
      .map(command => toWord(command.name.slice(name.length + 1), command.summary, toLeaf(command)));
    const summary = own?.summary ?? words.map(word => word.name).join(', ');
    return { name, summary, command: own ? toLeaf(own) : null, words };
  });
  return outline.map(word => {
    const taking = commands.find(({ name, takesCommand }) => takesCommand && name === word.name);
    if (!taking) return word;
    const words = outline.map(({ name, summary, words }) =>
      toWord(name, summary, { ...toLeaf(taking), arguments: [words.map(inner => inner.name)] }),
    );
    return { ...word, words };
  });
}

const toWord = (name: string, summary: string, command: Leaf) => ({ name, summary, command, words: [] });

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

export type NamedLeaf = readonly [name: string, leaf: Leaf];

/** Every command by its full name: `build`, `jobs list`. */
export function leavesOf(words: readonly Word[]): NamedLeaf[] {
  return words.flatMap(({ name, command, words: inner }) => [
    ...(command ? [[name, command] as const] : []),
    ...inner.map(word => [`${name} ${word.name}`, word.command] as const),
  ]);
}
