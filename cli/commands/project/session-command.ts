// Shared by the commands that talk to the cloud: the session, and errors that say what to do.
import { ApiError } from '../../../lib/contract/index.js';
import { openSession, type Session } from '../../../lib/sdk/index.js';
import { CommandError, type Context, type ExitCode, exitCode, type RunCommand } from '../../command.js';
import { printAnswer } from '../../print.js';
import { keepOutputs, silenceProject } from './route-outputs.js';

export interface SessionContext extends Context {
  session: Session;
}

export function sessionCommand(work: (context: SessionContext) => Promise<ExitCode | undefined>): RunCommand {
  return async context => {
    const { io, note } = context;
    const session = openSession({
      folder: io.cwd,
      env: io.env,
      keepsCloud: true,
      onCloudStart: note,
    });
    try {
      return await work({ ...context, session });
    } catch (error) {
      throw explainError(error);
    }
  };
}

/** A command that loads the project: what its code writes goes to stderr, so that stdout has only the result. */
export function projectCommand(work: Parameters<typeof sessionCommand>[0]): RunCommand {
  return sessionCommand(async context => {
    const io = keepOutputs(context.io);
    const giveBack = silenceProject(context.io, io);
    try {
      return await work({
        ...context,
        io,
        answer: (document, text) => printAnswer(io, context, document, text),
      });
    } finally {
      giveBack();
    }
  });
}

const HINTS: Readonly<Record<string, string>> = {
  cloud_unreachable: 'Run "svc doctor" to see which cloud is used and what is wrong.',
  slug_taken: 'The slug of a deleted endpoint stays with its organization, which can use it again.',
};

const NOT_SIGNED_IN: ReadonlySet<string> = new Set(['unauthenticated', 'anonymous_disabled']);

/** Turns a cloud error into a command-line error with an exit code, adding a hint if the message has none. */
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
