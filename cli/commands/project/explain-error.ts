// An error of the cloud as one of the command line: its message as it is, what to do where the message does not say
// so, and the exit code.
import { ApiError } from '../../../lib/contract/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';

const HINTS: Readonly<Record<string, string>> = {
  cloud_unreachable: 'Run "svc doctor" to see which cloud is meant and what is wrong.',
  slug_taken: 'A deleted one stays reserved to its organisation.',
};

const NOT_SIGNED_IN: ReadonlySet<string> = new Set(['unauthenticated', 'anonymous_disabled']);

export function explainError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { message, code, status, requestId } = error;
  const trace = status >= 500 && requestId ? `The cloud's log has it under ${requestId}.` : undefined;
  const lines = [message, HINTS[code], trace].filter(line => line !== undefined);
  return new CommandError(
    lines.join('\n'),
    NOT_SIGNED_IN.has(code) ? exitCode.notSignedIn : exitCode.failure,
  );
}
