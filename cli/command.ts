// A command is an entry in the table in `commands/`, plus a function in a module that is loaded when the command is
// called. Here is what it gets, and how it ends.
import type { Io } from './io.js';
import type { Screen } from './screen.js';

export type { Io, Output, Signal } from './io.js';

export interface Command {
  /** One word, or two for a subcommand: `doctor`, `jobs list`. */
  name: string;
  summary: string;
  /** The arguments as the usage line shows them after the name, without options: `ID [DIR]`. */
  usage?: string;
  /** The maximum number of arguments, if it exceeds what the usage line shows: `ID ID…`. */
  mostArguments?: number;
  /** The allowed words for each argument position. */
  argumentChoices?: Readonly<Record<number, readonly string[]>>;
  /** The arguments are the name of another command. */
  takesCommand?: true;
  options?: OptionTable;
  /** Text output only; no `--json`. */
  plain?: true;
  load(): Promise<RunCommand>;
}

export type OptionTable = Readonly<Record<string, Option>>;

export interface Option {
  type: 'boolean' | 'string';
  short?: string;
  multiple?: boolean;
  summary: string;
  /** The placeholder for a string option's value in help: `N`, `DIR`. */
  value?: string;
  /** The allowed values, if limited. */
  choices?: readonly string[];
  /** It may be a path, with `~` for the home folder. */
  isPath?: boolean;
  /** The allowed range of a whole number. */
  range?: { least: number; most?: number | undefined };
}

/** Undefined for success. */
export type RunCommand = (context: Context) => Promise<ExitCode | undefined>;

/** The parsed command line. */
export interface Input {
  positionals: string[];
  values: OptionValues;
  /** Whether to print the result as JSON on stdout. */
  json: boolean;
}

/** Everything a command receives. */
export interface Context extends Input {
  io: Io;
  /** What stdout supports. */
  screen: Screen;
  /** How to call svc in commands to copy, such as `npx svc`. */
  svc: string;
  /** Prints the result: a document as JSON, or text for people. */
  answer(document: object, text: () => string): void;
  /** Prints a message for people that is not part of the result. */
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

/** An error with a message for the user and an exit code. */
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
  /** The command or group whose help to suggest; by default the one that ran. */
  readonly where: string | undefined;

  constructor(problem: string, where?: string) {
    super(problem, exitCode.usage);
    this.where = where;
  }
}
