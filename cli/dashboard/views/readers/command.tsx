// The output of an svc command typed in the dashboard, and how it ended.
import { useEffect, useState } from 'react';
import {
  emptyTerminal,
  errorText,
  outputRows,
  printText,
  type TerminalText,
} from '../../../../lib/console/index.js';
import { Line, SpanRows } from '../../components/text.js';
import type { RunCommand } from '../../create-dashboard.js';
import { useDashboard } from '../../dashboard-context.js';
import { createStore, merged, useStore } from '../../state/store.js';
import { Reader, useReaderRoom } from './reader.js';

interface CommandState {
  readonly output: TerminalText;
  readonly exitCode: number | null;
  readonly problem: string | null;
}

const initial: CommandState = { output: emptyTerminal, exitCode: null, problem: null };

interface CommandReaderProps {
  readonly args: readonly string[];
  readonly runCommand: RunCommand;
}

export function CommandReader({ args, runCommand }: CommandReaderProps) {
  const { width } = useReaderRoom();
  const state = useCommandRun({ args, runCommand }, width);
  const source = outputRows(state.output, width);
  return (
    <Reader title={`svc ${args.join(' ')}`} status={<CommandStatus {...state} />} source={source}>
      {rows => <SpanRows rows={rows.map(source.row)} />}
    </Reader>
  );
}

/** Runs the command once and stops it when the component is unmounted. */
function useCommandRun({ args, runCommand }: CommandReaderProps, columns: number): CommandState {
  const { clock, signal } = useDashboard();
  const [store] = useState(() => createStore(merged<CommandState>, initial, clock));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a command is run once, whatever happens to the screen
  useEffect(() => {
    const stopped = new AbortController();
    const write = (text: string) => store.dispatchLater({ output: printText(store.state.output, text) });
    runCommand(args, { write, columns, signal: AbortSignal.any([stopped.signal, signal]) }).then(
      exitCode => store.dispatch({ exitCode }),
      (error: unknown) => store.dispatch({ problem: errorText(error) }),
    );
    return () => stopped.abort();
  }, []);
  return useStore(store);
}

function CommandStatus({ exitCode, problem }: CommandState) {
  if (problem !== null) return <Line tone="failed">{problem}</Line>;
  if (exitCode === null) return <Line dim>Running…</Line>;
  if (exitCode === 0) return <Line tone="completed">Done.</Line>;
  return <Line tone="failed">{`Exited with code ${exitCode}.`}</Line>;
}
