// An svc command typed in the dashboard: its output and how it ended.
import { useEffect, useState } from 'react';
import { emptyTerminal, outputRows, printText, type TerminalText } from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows } from '../../components/text.js';
import type { RunCommand } from '../../create-dashboard.js';
import { useDashboard } from '../../dashboard-context.js';
import { toMessage } from '../../hooks/fetched.js';
import { AT_START, useScroller } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { View } from '../../screen/view.js';
import { createStore, merged, useStore } from '../../state/store.js';
import { useRoom } from '../../terminal/look.js';

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
  const room = useRoom();
  const inside = insidePanel({ ...room, height: room.height - 1 });
  const { shell } = useDashboard();
  const state = useCommandRun({ args, runCommand }, inside.width);
  const source = outputRows(state.output, inside.width);
  const scroller = useScroller(source, inside.height, AT_START);
  const leaveReader = () => shell.dispatch({ reader: null });
  useCommands(['text', 'reader'], { ...scroller.commands, leaveReader }, { layer: 'reader' });
  return (
    <View status={<CommandStatus {...state} />}>
      <Panel title={`svc ${args.join(' ')}`} width={room.width} height={room.height - 1}>
        <SpanRows rows={scroller.rows.map(source.row)} />
      </Panel>
    </View>
  );
}

/** Runs the command once; it is stopped when it is no longer shown. */
function useCommandRun({ args, runCommand }: CommandReaderProps, columns: number): CommandState {
  const { clock, signal } = useDashboard();
  const [store] = useState(() => createStore(merged<CommandState>, initial, clock));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a command is run once, whatever happens to the screen
  useEffect(() => {
    const stopped = new AbortController();
    const write = (text: string) => store.dispatchLater({ output: printText(store.state.output, text) });
    runCommand(args, { write, columns, signal: AbortSignal.any([stopped.signal, signal]) }).then(
      exitCode => store.dispatch({ exitCode }),
      (error: unknown) => store.dispatch({ problem: toMessage(error) }),
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
