// Parses a command's arguments by its option table and says which one is wrong.
import { parseArgs } from 'node:util';
import { type Command, createUsageError, type OptionTable, type OptionValues } from './command.js';
import { suggest } from './lookup.js';

const json: OptionTable = { json: { type: 'boolean', summary: 'Print JSON, for scripts' } };
const help: OptionTable = { help: { type: 'boolean', short: 'h', summary: 'Show help' } };

/** Every option of a command: its own and the ones that all commands take. */
export function optionsOf({ options, plain }: Command): OptionTable {
  return { ...options, ...(plain ? {} : json), ...help };
}

/** The options that also work without a command. */
export const globalOptions: OptionTable = {
  ...json,
  ...help,
  version: { type: 'boolean', short: 'v', summary: 'Show the version' },
};

interface Parsed {
  values: OptionValues;
  positionals: string[];
}

/** `where` names the command in messages; empty for `svc` itself. */
export function parseOptions(args: string[], options: OptionTable, where: string): Parsed {
  const { values, positionals, tokens } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const problem = findProblem(token, options);
    if (problem) throw createUsageError(problem, where);
  }
  return { values, positionals };
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
    return `option "${rawName}" must be ${joinChoices(option.choices)}, not "${value}".`;
  return undefined;
}

/** `a, b or c` */
export function joinChoices(choices: readonly string[]): string {
  return [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ');
}
