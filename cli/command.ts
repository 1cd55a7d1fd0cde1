// A command is an entry in the table in `commands/`, plus a module with `run` that is loaded when the command is
// called. Here is what it gets, and how it ends.
import type { Clock } from '../lib/clock/index.js';

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
  run(input: Input, io: Io): Promise<ExitCode>;
}

export interface Input {
  positionals: string[];
  values: OptionValues;
  /** Whether to print the result as JSON on stdout. */
  json: boolean;
}

export type OptionValues = Record<string, string | boolean | number | (string | boolean)[] | undefined>;

/** Everything a command sees of its process. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  cwd: string;
  /** What a command waits by; the real one unless given. */
  clock?: Clock;
  /** What is typed or piped in; without it there is no one to ask. */
  stdin?: Keyboard;
  /** Calls back on a signal, which then no longer ends the process. Returns a function that undoes this. */
  onSignal?(signal: Signal, react: () => void): () => void;
  /** Calls back when stdout is closed, which then no longer ends the process. Returns a function that undoes this. */
  onOutputClosed?(react: () => void): () => void;
}

type Keyboard = NodeJS.ReadableStream & { isTTY?: boolean | undefined };

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Output {
  write(chunk: string | Uint8Array): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

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
