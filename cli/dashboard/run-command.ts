// How a command that is typed in the dashboard is run.

/** Runs an svc command line without stdin and resolves with its exit code. */
export type RunCommand = (args: readonly string[], options: RunCommandOptions) => Promise<number>;

interface RunCommandOptions {
  /** Receives what the command prints to stdout and stderr. */
  write(text: string): void;
  /** The maximum width of its output. */
  readonly columns: number;
  /** Aborted when the output is closed. */
  readonly signal: AbortSignal;
}
