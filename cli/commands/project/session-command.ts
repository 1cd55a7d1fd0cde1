// Shared by the commands that talk to the cloud: the session, output for people and for scripts, and errors that say what
// to do.
import { ApiError } from '../../../lib/contract/index.js';
import { openSession, type Session } from '../../../lib/sdk/index.js';
import {
  CommandError,
  type CommandModule,
  type ExitCode,
  exitCode,
  type Input,
  type Io,
} from '../../command.js';
import { ownName, printAnswer, printLine } from '../../print.js';
import { createScreen, type Screen } from '../terminal/screen.js';

export interface SessionContext extends Input {
  io: Io;
  session: Session;
  /** What stdout can show. */
  screen: Screen;
  /** How to call the program, in commands to copy. */
  svc: string;
  /** Prints the API's document as JSON, or text for people. */
  answer(document: object, text: () => string): void;
  /** Prints a line for people that is not part of the output. */
  note(line: string): void;
}

export function sessionCommand(work: (context: SessionContext) => Promise<ExitCode>): CommandModule['run'] {
  return async (input, io) => {
    const note = (line: string) => printLine(io.stderr, line, io.env);
    const session = openSession({
      folder: io.cwd,
      env: io.env,
      onCloudStart: url => note(`Started the local cloud at ${url}.`),
    });
    const answer = (document: object, text: () => string) => printAnswer(io, input, document, text);
    try {
      const [screen, svc] = [createScreen(io.stdout, io.env), ownName(io.env)];
      return await work({ ...input, io, session, screen, svc, answer, note });
    } catch (error) {
      throw explainError(error);
    }
  };
}

const HINTS: Readonly<Record<string, string>> = {
  cloud_unreachable: 'Run "svc doctor" to see which cloud is used and what is wrong.',
  slug_taken: 'The slug of a deleted endpoint stays reserved for its organization.',
};

const NOT_SIGNED_IN: ReadonlySet<string> = new Set(['unauthenticated', 'anonymous_disabled']);

/**
 * Turns a cloud error into a command-line error: its message, a hint where the message has none, and the exit code.
 */
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
