// Shared by the commands that talk to the cloud: the session, output for people and for scripts, and errors that say what
// to do.
import { openSession, type Session } from '../../../lib/sdk/index.js';
import type { CommandModule, Input, Io } from '../../command.js';
import type { ExitCode } from '../../exit-code.js';
import { ownName } from '../../own-name.js';
import { printAnswer, printLine } from '../../print.js';
import { createScreen, type Screen } from '../terminal/screen.js';
import { explainError } from './explain-error.js';

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
