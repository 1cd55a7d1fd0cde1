// Command options: how the tables declare them, and how arguments are parsed.
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { orList } from '../lib/contract/vocabulary.js';
import { type Command, type Option, type OptionTable, type OptionValues, UsageError } from './command.js';
import { suggest } from './lookup.js';

export const flag = (summary: string): Option => ({ type: 'boolean', summary });

/** `value`: the placeholder in help. */
export const text = (value: string, summary: string): Option => ({ type: 'string', value, summary });

export const texts = (value: string, summary: string): Option => ({
  ...text(value, summary),
  multiple: true,
});

/** A file or folder, or a name in place of one. */
export const path = (value: string, summary: string): Option => ({ ...text(value, summary), isPath: true });

export const paths = (value: string, summary: string): Option => ({
  ...path(value, summary),
  multiple: true,
});

export const choice = (choices: readonly string[], summary: string): Option => ({
  type: 'string',
  choices,
  summary,
});

/** A whole number. */
export const count = (summary: string, least = 0, most?: number): Option => ({
  ...text('N', summary),
  range: { least, most },
});

const json = { json: flag('Print JSON, for scripts') };
const help = { help: { ...flag('Show help'), short: 'h' } };

/** Every option of a command, including the global ones. */
export function optionsOf({ options, plain }: Command): OptionTable {
  return { ...options, ...(plain ? {} : json), ...help };
}

/** The options that also work without a command. */
export const globalOptions: OptionTable = {
  ...json,
  ...help,
  version: { ...flag('Show the version'), short: 'v' },
};

interface Parsed {
  values: OptionValues;
  positionals: string[];
}

export function parseOptions(args: string[], options: OptionTable): Parsed {
  const parsed = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    const problem = token.kind === 'option' && findProblem(token, options);
    if (problem) throw new UsageError(problem);
  }
  const { positionals, values } = parsed;
  const read = ([name, value]: [string, OptionValues[string]]) => [name, readValue(options[name]!, value)];
  return { positionals, values: Object.fromEntries(Object.entries(values).map(read)) };
}

function readValue({ range, isPath }: Option, value: OptionValues[string]): OptionValues[string] {
  if (range) return Number(value);
  if (!isPath) return value;
  return Array.isArray(value) ? value.map(expandHome) : expandHome(value);
}

/** Shells leave `~` alone in `--name=~/file`. */
function expandHome<Value>(path: Value): Value | string {
  return typeof path === 'string' ? path.replace(/^~(?=$|[\\/])/, homedir) : path;
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function findProblem({ name, rawName, value, inlineValue }: OptionToken, options: OptionTable) {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) {
    const guess = suggest(name, Object.keys(options));
    return `unknown option "${rawName}".${guess ? ` Did you mean "--${guess}"?` : ''}`;
  }
  if (option.type === 'boolean')
    return inlineValue ? `option "${rawName}" does not take a value.` : undefined;
  if (!value) return `option "${rawName}" needs a value.`;
  if (!inlineValue && value.startsWith('-') && value !== '-')
    return `option "${rawName}" needs a value; to pass "${value}", write "--${name}=${value}".`;
  if (option.choices && !option.choices.includes(value))
    return `option "${rawName}" must be ${orList(option.choices)}, not "${value}".`;
  return option.range && findRangeProblem(rawName, value, option.range);
}

function findRangeProblem(name: string, value: string, { least, most }: NonNullable<Option['range']>) {
  if (!/^\d{1,15}$/.test(value)) return `option "${name}" must be a whole number.`;
  if (Number(value) >= least && Number(value) <= (most ?? Number.POSITIVE_INFINITY)) return undefined;
  return `option "${name}" must be ${most === undefined ? `at least ${least}` : `from ${least} to ${most}`}.`;
}

/**
 * How many arguments a command takes, derived from its usage line: capitalized words are arguments, those that begin with a
 * bracket are optional.
 */
export function countArguments({ usage = '', mostArguments }: Command): { min: number; max: number } {
  const names = usage.split(' ').filter(word => /^\[?(?:[a-z]+:)?[A-Z]/.test(word));
  const min = names.filter(name => !name.startsWith('[')).length;
  return { min, max: mostArguments ?? names.length };
}
