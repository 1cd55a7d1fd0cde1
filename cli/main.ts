// From a command line to an exit code. Does not touch the process, so that tests can call it.

import { orList } from '../lib/contract/vocabulary.js';
import {
  type Command,
  CommandError,
  type Context,
  type ExitCode,
  exitCode,
  type Input,
  type Io,
  UsageError,
} from './command.js';
import { commands as ownCommands } from './commands/index.js';
import { renderHelp } from './help.js';
import { findCommand } from './lookup.js';
import { countArguments, globalOptions, optionsOf, parseOptions } from './options.js';
import { inOwnName, ownName, print, printAnswer, printLine } from './print.js';
import { createScreen } from './screen.js';
import { createStyle, toSafeText } from './style.js';

export async function main(argv: string[], io: Io, commands: Command[] = ownCommands): Promise<ExitCode> {
  const { leading, words } = splitLeadingOptions(argv);
  let command: Command | undefined;
  try {
    const { values } = parseOptions(leading, globalOptions);
    if (values.version) words.splice(0, words.length, 'version');
    const isHelpWanted = values.help === true || includesHelp(words);
    const found = findCommand(words, commands);
    if (!found || isHelpWanted) return showHelp(words, io, commands, isHelpWanted);
    command = found;
    const args = words.slice(command.name.split(' ').length);
    return await runCommand(command, values.json ? ['--json', ...args] : args, io);
  } catch (error) {
    return reportError(error, io, command?.name);
  }
}

function splitLeadingOptions(argv: string[]) {
  const firstWord = argv.findIndex(arg => !arg.startsWith('-'));
  const count = firstWord === -1 ? argv.length : firstWord;
  return { leading: argv.slice(0, count), words: argv.slice(count) };
}

function includesHelp(words: string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).some(word => word === '--help' || word === '-h');
}

/** Requested help goes to stdout; help shown because no command was given is an error. */
function showHelp(words: string[], io: Io, commands: Command[], isWanted: boolean): ExitCode {
  const names = words.filter(word => !word.startsWith('-'));
  const output = isWanted ? io.stdout : io.stderr;
  print(output, inOwnName(renderHelp(names, commands, createStyle(output, io.env)), io.env));
  return isWanted ? exitCode.ok : exitCode.usage;
}

async function runCommand(command: Command, args: string[], io: Io): Promise<ExitCode> {
  const { usage, argumentChoices = {} } = command;
  const { values, positionals } = parseOptions(args, optionsOf(command));
  const { min, max } = countArguments(command);
  if (positionals.length > max)
    throw new UsageError(
      `unexpected argument "${positionals[max]}".${max > 1 ? ` At most ${max} may be given.` : ''}`,
    );
  if (positionals.length < min) throw new UsageError(`missing argument: ${usage}.`.replace('….', '…'));
  positionals.forEach((word, place) => {
    const known = argumentChoices[place];
    if (known && !known.includes(word)) throw new UsageError(`expected ${orList(known)}, not "${word}".`);
  });
  const run = await command.load();
  return (await run(createContext({ positionals, values, json: values.json === true }, io))) ?? exitCode.ok;
}

function createContext(input: Input, io: Io): Context {
  return {
    ...input,
    io,
    screen: createScreen(io.stdout, io.env),
    svc: ownName(io.env),
    answer: (document, text) => printAnswer(io, input, document, text),
    note: line => printLine(io.stderr, line, io.env),
  };
}

/** `command`: the command that failed, if one was found. */
function reportError(error: unknown, io: Io, command: string | undefined): ExitCode {
  const { red } = createStyle(io.stderr, io.env);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const told = io.env.SVC_DEBUG && !(error instanceof CommandError) ? (stack ?? message) : message;
  const next = error instanceof UsageError ? `\n${whereToRead(error.where ?? command)}` : '';
  print(io.stderr, `${red('svc:')} ${inOwnName(toSafeText(told + next), io.env)}\n`);
  return error instanceof CommandError ? error.exitCode : exitCode.failure;
}

function whereToRead(name: string | undefined): string {
  return name ? `Run "svc help ${name}" for usage.` : 'Run "svc help" to see all commands.';
}
