// An svc command typed in the dashboard: its output and how it ended.
import { emptyTerminal, printText, type TerminalText } from '../../../../lib/console/index.js';
import type { Context, View } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import type { Canvas } from '../../drawing/canvas.js';
import { type Line, line, quiet, span } from '../../drawing/line.js';
import { outputLines, outputSource } from '../../drawing/output-text.js';
import { insidePanel, panel } from '../../drawing/panel.js';

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

interface CommandState {
  readonly output: TerminalText;
  readonly exitCode: number | null;
  readonly problem: string | null;
}

type CommandAction =
  | { readonly type: 'printed'; readonly text: string }
  | { readonly type: 'ended'; readonly exitCode: number }
  | { readonly type: 'failed'; readonly problem: string };

const initial: CommandState = { output: emptyTerminal, exitCode: null, problem: null };

export function createCommandReader(
  context: Context,
  args: readonly string[],
  runCommand: RunCommand,
  close: () => void,
): View {
  const store = createStore(reduceCommand, initial, context.changed);
  const stopped = new AbortController();
  const room = () => insidePanel(context.canvas);
  const scroller = createScroller({
    source: () => outputSource(store.state.output, room().width),
    height: () => room().height,
    changed: context.changed,
    start: { item: 0, row: 0 },
  });

  async function run(): Promise<void> {
    const write = (text: string) => store.dispatch({ type: 'printed', text });
    const signal = AbortSignal.any([stopped.signal, context.signal]);
    try {
      const exitCode = await runCommand(args, { write, signal, columns: room().width });
      store.dispatch({ type: 'ended', exitCode });
    } catch (error) {
      store.dispatch({ type: 'failed', problem: toMessage(error) });
    }
  }

  return {
    scopes: ['reader'],
    commands: () => ({ ...scroller.commands, leaveReader: close }),
    enter: () => void run(),
    leave: () => stopped.abort(),
    draw(canvas: Canvas) {
      const rows = outputLines(store.state.output, scroller.rows(), room().width);
      return { lines: panel(rows, { ...canvas, title: `svc ${args.join(' ')}` }) };
    },
    foot: () => commandStatus(store.state),
  };
}

function reduceCommand(state: CommandState, action: CommandAction): CommandState {
  switch (action.type) {
    case 'printed':
      return { ...state, output: printText(state.output, action.text) };
    case 'ended':
      return { ...state, exitCode: action.exitCode };
    case 'failed':
      return { ...state, problem: action.problem };
  }
}

function commandStatus({ exitCode, problem }: CommandState): Line {
  if (problem !== null) return [span(problem, { tone: 'failed' })];
  if (exitCode === null) return line('Running…', quiet);
  return exitCode === 0
    ? line('Done.', { tone: 'completed' })
    : line(`Exited with code ${exitCode}.`, { tone: 'failed' });
}
