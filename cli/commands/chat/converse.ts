// A conversation at the terminal: each line is a question, and earlier turns are remembered. Ctrl-C stops an answer;
// pressed twice in a row, it ends the conversation.
import { createInterface } from 'node:readline';
import { chatRow, type Exchange } from '../../../lib/console/index.js';
import type { ChatMessage } from '../../../lib/contract/index.js';
import { type ExitCode, exitCode, type Io } from '../../command.js';
import { inOwnName, print } from '../../print.js';
import { toWritable } from '../../screen.js';
import { createStyle, toSafeLine, toSafeText } from '../../style.js';
import { appendRows } from '../files/row-files.js';
import { textOption } from '../project/option-values.js';
import { explainError, type SessionContext } from '../project/session-command.js';
import { type Speaker, say } from './speaker.js';

/** Saves each complete answer. */
export async function converse(speaker: Speaker, io: Io, keep: SaveRow): Promise<ExitCode> {
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

/** `warning` is shown after the first Ctrl-C. */
function createInterrupts(warning: string) {
  let count = 0;
  let answering: AbortController | null = null;
  return {
    warning,
    attach(lines: TypedLines): void {
      count++;
      if (count > 1) lines.close();
      if (answering) answering.abort();
      else if (count === 1) lines.restart(warning);
    },
    /** Sets what the next Ctrl-C stops. */
    stops(answer: AbortController | null): void {
      answering = answer;
    },
    /** Resets the count, since the user typed something after the last Ctrl-C. */
    forget(): void {
      count = 0;
    },
    wereTwo: () => count > 1,
  };
}

interface ReplyParts {
  readonly speaker: Speaker;
  readonly keep: SaveRow;
  readonly io: Io;
  readonly lines: TypedLines;
  readonly interrupts: ReturnType<typeof createInterrupts>;
}

/** Returns a function that prints the answer to a question and adds both to the history. */
function createReplies({ speaker, keep, io: { stdout, env }, lines, interrupts }: ReplyParts) {
  const { red } = createStyle(stdout, env);
  const history: ChatMessage[] = [];
  let exchanges: readonly Exchange[] = [];
  return async (content: string): Promise<void> => {
    const turn: ChatMessage[] = [...history, { role: 'user', content }];
    const stop = new AbortController();
    interrupts.stops(stop);
    lines.mute(true);
    try {
      const answer = await say(speaker, turn, stdout, stop.signal);
      if (stop.signal.aborted && !interrupts.wereTwo()) print(stdout, interrupts.warning);
      if (!answer) return;
      const before = exchanges;
      const exchange = { question: content, reply: answer };
      exchanges = [...before, exchange];
      history.push(...turn.slice(-1), { role: 'assistant', content: answer });
      // It may fail, and was said all the same.
      if (!stop.signal.aborted) await keep(before, exchange);
    } catch (error) {
      const { message } = explainError(error) as Error;
      print(stdout, `${red('svc:')} ${inOwnName(toSafeText(message), env)}\n`);
    } finally {
      interrupts.stops(null);
      lines.mute(false);
    }
  };
}

type TypedLines = ReturnType<typeof readTypedLines>;

/**
 * Reads lines with shell-like editing. Nothing is echoed while an answer streams; what is typed meanwhile
 * becomes the next line.
 */
function readTypedLines(
  { stdin, stdout }: Io,
  { prompt, onInterrupt }: { prompt: string; onInterrupt: () => void },
) {
  let isMuted = false;
  let isClosed = false;
  const lines: string[] = [];
  let wake: () => void = () => {};
  const output = toWritable(stdout, () => isMuted);
  const reader = createInterface({ input: stdin!, output, terminal: true, prompt });
  reader.on('SIGINT', onInterrupt);
  reader.on('line', line => {
    lines.push(line);
    wake();
  });
  reader.on('close', () => {
    isClosed = true;
    wake();
  });
  return {
    /** The next line; null once the terminal is closed, for example by Ctrl-D. */
    async next(): Promise<string | null> {
      if (lines.length === 0 && !isClosed) {
        reader.prompt();
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      return lines.shift() ?? null;
    },
    /** Turns echo off while an answer streams. */
    mute(muted: boolean): void {
      isMuted = muted;
    },
    /** Discards what was typed, prints a note and prompts again. */
    restart(note: string): void {
      reader.write(null, { ctrl: true, name: 'e' });
      reader.write(null, { ctrl: true, name: 'u' });
      output.write(`\n${note}`);
      reader.prompt();
    },
    close(): void {
      lines.length = 0;
      reader.close();
    },
  };
}

/** Saves an exchange together with the history before it. Empty answers are not saved. */
export type SaveRow = (before: readonly Exchange[], exchange: Exchange) => Promise<void>;

/** `--save FILE`: keeps each answer as a row that a trainer can read. */
export function openRows(context: SessionContext): SaveRow {
  const typed = textOption(context, 'save');
  if (typed === undefined) return async () => {};
  return async (before, exchange) => {
    if (exchange.reply !== '') await appendRows(context.io.cwd, typed, chatRow(before, exchange));
  };
}
