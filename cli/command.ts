// A command is an entry in the table in `commands/`, plus a module with `run` that is loaded when the command is
// called. Here is what it gets, and how it ends.
import type { Io } from './io.js';
import type { Screen } from './screen.js';

export type { Io, Output, Signal } from './io.js';

export interface Command {
  /** One word, or two for a group: `doctor`, `jobs list`. */
  name: string;
  summary: string;
  /** What follows the name in the usage line, without options. It says how many arguments there are: `ID [DIR]`. */
  usage?: string;
  /** How many arguments there may be, if more than the usage line names: `ID ID…`. */
  mostArguments?: number;
  /** By position, the words allowed there. */
  argumentChoices?: Readonly<Record<number, readonly string[]>>;
  /** The arguments name a command in this table. */
  takesCommand?: true;
  options?: OptionTable;
  /** Text output only: no `--json`. */
  plain?: true;
  load(): Promise<CommandModule>;
}

export type OptionTable = Readonly<Record<string, Option>>;

export interface Option {
  type: 'boolean' | 'string';
  short?: string;
  multiple?: boolean;
  summary: string;
  /** The placeholder for a string option's value in help: `N`, `DIR`. */
  value?: string;
  /** The allowed values, when there are only a few. */
  choices?: readonly string[];
  /** Its value is a whole number in this range. */
  range?: { least: number; most?: number | undefined };
}

export interface CommandModule {
  /** Undefined for success. */
  run(context: Context): Promise<ExitCode | undefined>;
}

/** What was typed. */
export interface Input {
  positionals: string[];
  values: OptionValues;
  /** Whether to print the result as JSON on stdout. */
  json: boolean;
}

/** All that a command gets. */
export interface Context extends Input {
  io: Io;
  /** What stdout can show. */
  screen: Screen;
  /** How to call the program, in commands to copy. */
  svc: string;
  /** Prints the result: a document as JSON, or text for people. */
  answer(document: object, text: () => string): void;
  /** Prints a line for people that is not part of the result. */
  note(line: string): void;
}

export type OptionValues = Record<string, string | boolean | number | (string | boolean)[] | undefined>;

/** The exit codes of `svc`; scripts rely on them. */
export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  notSignedIn: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Has a message for the user, and the exit code that it leads to. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, code: ExitCode = exitCode.failure) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = code;
  }
}

/** A mistake in the command line. The message ends with where to read about usage. */
export class UsageError extends CommandError {
  /** The command or group to read about; by default the one that runs. */
  readonly where: string | undefined;

  constructor(problem: string, where?: string) {
    super(problem, exitCode.usage);
    this.where = where;
  }
}
