// Text shown over a view until it is closed, with a title, scrolling rows and a status line: the help, and the output of a
// command typed in the dashboard.

import { Box } from 'ink';
import { type ReactNode, useEffect, useState } from 'react';
import {
  emptyTerminal,
  errorText,
  type Glyphs,
  type HelpGroup,
  helpColumns,
  outputRows,
  printText,
  type RowPlace,
  type RowSource,
  type TerminalText,
} from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { Line, SpanRows, Spans } from '../../components/text.js';
import type { RunCommand } from '../../create-dashboard.js';
import { useDashboard } from '../../dashboard-context.js';
import { AT_START, rowsSource, useScroller } from '../../hooks/use-scroller.js';
import { type Bound, inScope, SCOPES, type Scope } from '../../keys/bindings.js';
import { useCommands } from '../../keys/commands.js';
import { keyLabel } from '../../keys/key-names.js';
import { View } from '../../screen/view.js';
import { createStore, merged, useStore } from '../../state/store.js';
import { type Size, useGlyphs, useRoom } from '../../terminal/look.js';

interface ReaderProps {
  readonly title: string;
  readonly status: ReactNode;
  readonly source: RowSource;
  readonly children: (rows: readonly RowPlace[]) => ReactNode;
}

/** The space inside a reader's panel. */
const useReaderRoom = (): Size => insidePanel(panelIn(useRoom()));

const panelIn = ({ width, height }: Size): Size => ({ width, height: height - 1 });

function Reader({ title, status, source, children }: ReaderProps) {
  const { shell } = useDashboard();
  const panel = panelIn(useRoom());
  const { rows, commands } = useScroller(source, insidePanel(panel).height, AT_START);
  const leaveReader = () => shell.dispatch({ reader: null });
  useCommands(['text', 'reader'], { ...commands, leaveReader }, { layer: 'reader' });
  return (
    <View status={status}>
      <Panel title={title} {...panel}>
        {children(rows)}
      </Panel>
    </View>
  );
}

interface HelpProps {
  /** The scopes of the view behind it, listed first. */
  readonly here: readonly Scope[];
  readonly hasMouse: boolean;
  readonly hasShell: boolean;
}

export function Help({ here, hasMouse, hasShell }: HelpProps) {
  const inside = useReaderRoom();
  const columns = helpColumns(groupsOf({ here, hasMouse, hasShell }, useGlyphs()), inside.width);
  const width = Math.floor(inside.width / columns.length);
  const count = Math.max(...columns.map(({ length }) => length));
  const status = <Line dim>Shortcuts are off while typing.</Line>;
  return (
    <Reader title="Keys" status={status} source={rowsSource(count)}>
      {rows =>
        rows.map(({ item }) => (
          <Box key={item} flexShrink={0}>
            {columns.map((rows, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
              <Line key={column} width={width}>
                {rows[item] ? <Spans spans={rows[item]} /> : ' '}
              </Line>
            ))}
          </Box>
        ))
      }
    </Reader>
  );
}

/** The groups, starting with those of the current view. */
function groupsOf({ here, hasMouse, hasShell }: HelpProps, glyphs: Glyphs): HelpGroup[] {
  const scopes = new Set([...here, ...(Object.keys(SCOPES) as Scope[])]);
  const isThere = ({ command }: Bound) => hasShell || command !== 'commandLine';
  const labelOf = ({ keys }: Bound) => keys.map(key => keyLabel(key, glyphs)).join(' ');
  if (!hasShell) scopes.delete('commandLine');
  const groups = [...scopes].map(scope => ({
    title: SCOPES[scope],
    entries: inScope(scope)
      .filter(isThere)
      .map(bound => [labelOf(bound), bound.does] as const),
  }));
  return hasMouse ? [...groups, MOUSE] : groups;
}

const MOUSE: HelpGroup = {
  title: 'Mouse',
  entries: [
    ['Wheel', 'Scroll, or move through the list'],
    ['Click', 'Select a row, or open it if it is selected; tabs and hints, too'],
    ['Shift-drag', 'Select text, in most terminals; svc dev --no-mouse does without'],
  ],
};

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
