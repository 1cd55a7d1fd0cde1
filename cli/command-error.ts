// An error with a message for the user and the exit code it leads to.
import { type ExitCode, exitCode } from './exit-code.js';

export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, code: ExitCode = exitCode.failure) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = code;
  }
}

/** `where` names the command that was misused, for `svc help <command>`. */
export function createUsageError(problem: string, where = ''): CommandError {
  const next = where ? `Run "svc help ${where}" for usage.` : 'Run "svc help" to see all commands.';
  return new CommandError(`${problem}\n${next}`, exitCode.usage);
}
