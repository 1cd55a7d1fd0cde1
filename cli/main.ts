// From a command line to an exit code. Knows nothing about its process, so that tests can call it.
import { type Command, CommandError, createUsageError, type ExitCode, exitCode, type Io } from './command.js';
import { commands as ownCommands } from './commands/index.js';
import { renderHelp } from './help.js';
import { findCommand } from './lookup.js';
import { globalOptions, joinChoices, optionsOf, parseOptions } from './options.js';
import { inOwnName, print } from './print.js';
import { createStyle, toSafeText } from './style.js';

export async function main(argv: string[], io: Io, commands: Command[] = ownCommands): Promise<ExitCode> {
  try {
    return await dispatch(argv, io, commands);
  } catch (error) {
    return reportError(error, io);
  }
}

async function dispatch(argv: string[], io: Io, commands: Command[]): Promise<ExitCode> {
  const { leading, words } = splitLeadingOptions(argv);
  const { values } = parseOptions(leading, globalOptions, '');
  if (values.version) words.splice(0, words.length, 'version');
  const isHelpWanted = values.help === true || includesHelp(words);
  const command = findCommand(words, commands);
  if (!command || isHelpWanted) return showHelp(words, io, commands, isHelpWanted);
  const args = words.slice(command.name.split(' ').length);
  return runCommand(command, values.json && !command.plain ? ['--json', ...args] : args, io);
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

/** Requested help is a result; help shown because no command was given is an error. */
function showHelp(words: string[], io: Io, commands: Command[], isWanted: boolean): ExitCode {
  const names = words.filter(word => !word.startsWith('-'));
  const output = isWanted ? io.stdout : io.stderr;
  print(output, inOwnName(renderHelp(names, commands, createStyle(output, io.env)), io.env));
  return isWanted ? exitCode.ok : exitCode.usage;
}

async function runCommand(command: Command, args: string[], io: Io): Promise<ExitCode> {
  const { name, positionals: { min, max, choices = {} } = { min: 0, max: 0 } } = command;
  const { values, positionals } = parseOptions(args, optionsOf(command), name);
  if (positionals.length > max) throw createUsageError(`unexpected argument "${positionals[max]}".`, name);
  if (positionals.length < min) throw createUsageError(`missing argument: ${command.usage}.`, name);
  positionals.forEach((word, place) => {
    const known = choices[place];
    if (known && !known.includes(word))
      throw createUsageError(`expected ${joinChoices(known)}, not "${word}".`, name);
  });
  const { run } = await command.load();
  return run({ positionals, values, json: values.json === true }, io);
}

function reportError(error: unknown, io: Io): ExitCode {
  const { red } = createStyle(io.stderr, io.env);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const told = io.env.SVC_DEBUG && !(error instanceof CommandError) ? (stack ?? message) : message;
  print(io.stderr, `${red('svc:')} ${inOwnName(toSafeText(told), io.env)}\n`);
  return error instanceof CommandError ? error.exitCode : exitCode.failure;
}
