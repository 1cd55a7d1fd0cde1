// Text shown over a view until it is closed: a title, scrolling rows, and a status line.
import type { ReactNode } from 'react';
import type { RowPlace, RowSource } from '../../../../lib/console/index.js';
import { insidePanel, Panel } from '../../components/panel.js';
import { useDashboard } from '../../dashboard-context.js';
import { AT_START, useScroller } from '../../hooks/use-scroller.js';
import { useCommands } from '../../keys/commands.js';
import { View } from '../../screen/view.js';
import { type Size, useRoom } from '../../terminal/look.js';

interface ReaderProps {
  readonly title: string;
  readonly status: ReactNode;
  readonly source: RowSource;
  readonly children: (rows: readonly RowPlace[]) => ReactNode;
}

/** The space inside a reader's panel. */
export const useReaderRoom = (): Size => insidePanel(panelIn(useRoom()));

const panelIn = ({ width, height }: Size): Size => ({ width, height: height - 1 });

export function Reader({ title, status, source, children }: ReaderProps) {
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
