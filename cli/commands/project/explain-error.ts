// Turns a cloud error into a command-line error: its message, a hint where the message has none, and the exit code.
import { ApiError } from '../../../lib/contract/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';

const HINTS: Readonly<Record<string, string>> = {
  cloud_unreachable: 'Run "svc doctor" to see which cloud is used and what is wrong.',
  slug_taken: 'The slug of a deleted endpoint stays reserved for its organization.',
};

const NOT_SIGNED_IN: ReadonlySet<string> = new Set(['unauthenticated', 'anonymous_disabled']);

export function explainError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { message, code, status, requestId } = error;
  const trace = status === 500 && requestId ? `Look for ${requestId} in the cloud's log.` : undefined;
  const lines = [message, HINTS[code], trace].filter(line => line !== undefined);
  return new CommandError(
    lines.join('\n'),
    NOT_SIGNED_IN.has(code) ? exitCode.notSignedIn : exitCode.failure,
  );
}
