// A conversation at the terminal: each line is a question, and earlier turns are remembered. Ctrl-C stops an answer;
// pressed twice in a row, it ends the conversation.
import type { Exchange } from '../../../lib/console/index.js';
import type { ChatMessage } from '../../../lib/contract/index.js';
import type { Io } from '../../command.js';
import { type ExitCode, exitCode } from '../../exit-code.js';
import { inOwnName } from '../../own-name.js';
import { print } from '../../print.js';
import { createStyle, toSafeLine, toSafeText } from '../../style.js';
import { explainError } from '../project/explain-error.js';
import type { KeepRow } from './open-rows.js';
import { say } from './say.js';
import type { Speaker } from './speaker.js';
import { readTypedLines, type TypedLines } from './typed-lines.js';

/** Each answer that was not stopped is kept. */
export async function converse(speaker: Speaker, io: Io, keep: KeepRow): Promise<ExitCode> {
  const { bold, dim } = createStyle(io.stdout, io.env);
  print(io.stdout, dim(`${toSafeLine(speaker.label)}. Press Ctrl-C to stop an answer, Ctrl-D to quit.\n`));
  const interrupts = createInterrupts(dim('Press Ctrl-C again to quit.\n'));
  const lines = readTypedLines(io, { prompt: `${bold('›')} `, onInterrupt: () => interrupts.attach(lines) });
  const reply = createReplies({ speaker, keep, io, lines, interrupts });
  for (let line = await lines.next(); line !== null; line = await lines.next()) {
    interrupts.forget();
    if (line.trim()) await reply(line);
  }
  lines.close();
  print(io.stdout, '\n');
  return interrupts.wereTwo() ? exitCode.interrupted : exitCode.ok;
}

interface Interrupts {
  /** Shown after the first Ctrl-C. */
  readonly warning: string;
  attach(lines: TypedLines): void;
  /** What the next Ctrl-C stops. */
  stops(answer: AbortController | null): void;
  /** Starts over: something was typed since the last Ctrl-C. */
  forget(): void;
  wereTwo(): boolean;
}

function createInterrupts(warning: string): Interrupts {
  let count = 0;
  let answering: AbortController | null = null;
  return {
    warning,
    attach(lines) {
      count++;
      if (count > 1) lines.close();
      if (answering) answering.abort();
      else if (count === 1) lines.restart(warning);
    },
    stops(answer) {
      answering = answer;
    },
    forget() {
      count = 0;
    },
    wereTwo: () => count > 1,
  };
}

interface ReplyParts {
  readonly speaker: Speaker;
  readonly keep: KeepRow;
  readonly io: Io;
  readonly lines: TypedLines;
  readonly interrupts: Interrupts;
}

/** Returns a function that prints the answer to a question and remembers both. */
function createReplies({ speaker, keep, io: { stdout, env }, lines, interrupts }: ReplyParts) {
  const { red } = createStyle(stdout, env);
  const history: ChatMessage[] = [];
  const before: Exchange[] = [];
  return async (content: string): Promise<void> => {
    const turn: ChatMessage[] = [...history, { role: 'user', content }];
    const stop = new AbortController();
    interrupts.stops(stop);
    lines.mute(true);
    try {
      const answer = await say(speaker, turn, stdout, stop.signal);
      if (stop.signal.aborted && !interrupts.wereTwo()) print(stdout, interrupts.warning);
      if (answer && !stop.signal.aborted) await keep(before, { question: content, reply: answer });
      if (!answer) return;
      before.push({ question: content, reply: answer });
      history.push(...turn.slice(-1), { role: 'assistant', content: answer });
    } catch (error) {
      const { message } = explainError(error) as Error;
      print(stdout, `${red('svc:')} ${inOwnName(toSafeText(message), env)}\n`);
    } finally {
      interrupts.stops(null);
      lines.mute(false);
    }
  };
}
