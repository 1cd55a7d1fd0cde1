// What a command is: an entry of the table in `commands/`, and a module with `run` that is loaded when it is called.
import type { ExitCode } from './exit-code.js';

export interface Command {
  /** One word, or two for a group: `doctor`, `jobs list`. */
  name: string;
  summary: string;
  /** What follows the name in its usage line, options left out: `ID [DIR]`. */
  usage?: string;
  /** How many arguments it takes, none unless said otherwise. */
  positionals?: {
    min: number;
    max: number;
    /** By place, the few words that one of them may be. */
    choices?: Readonly<Record<number, readonly string[]>>;
    /** They name a command of this table. */
    isCommand?: true;
  };
  options: OptionTable;
  /** It answers in text only: `--json` is not offered. */
  plain?: true;
  load(): Promise<CommandModule>;
}

export type OptionTable = Record<string, Option>;

export interface Option {
  type: 'boolean' | 'string';
  short?: string;
  multiple?: boolean;
  summary: string;
  /** What a string option's value is called in help: `N`, `DIR`. */
  value?: string;
  /** The values that it takes, when they are few. */
  choices?: readonly string[];
}

export interface CommandModule {
  run(input: Input, io: Io): Promise<ExitCode>;
}

export interface Input {
  positionals: string[];
  values: OptionValues;
  /** Whether the answer is to be JSON on stdout. */
  json: boolean;
}

export type OptionValues = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** All that a command sees of its process. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  cwd: string;
  /** What is typed or piped in; without it there is nobody to ask. */
  stdin?: Keyboard;
  /** Calls back at a signal, which then no longer ends the process. Returns how to let it do so again. */
  onSignal?(signal: Signal, react: () => void): () => void;
  /** Calls back when nobody reads stdout any more, which then no longer ends the process. Returns as above. */
  onOutputClosed?(react: () => void): () => void;
}

export type Keyboard = NodeJS.ReadableStream & { isTTY?: boolean | undefined };

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Output {
  write(chunk: string | Uint8Array): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}
