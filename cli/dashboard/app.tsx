// The dashboard as an Ink component: its lines, with the active text field on top.
import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import type { Repaint } from './core/repaint.js';
import { Rows } from './drawing/rows.js';
import { TextField } from './drawing/text-field.js';
import type { Dashboard } from './shell/dashboard.js';
import type { Look } from './terminal/look.js';

interface AppProps {
  readonly dashboard: Dashboard;
  readonly repaint: Repaint;
  readonly look: Look;
  readonly columns: () => number;
}

export function App({ dashboard, repaint, look, columns }: AppProps) {
  useSyncExternalStore(repaint.subscribe, () => repaint.version);
  const { lines, field } = dashboard.draw();
  const width = columns();
  return (
    <Box width={width} height={lines.length}>
      <Rows lines={lines} width={width} look={look} />
      {field && (
        <Box key={field.id} position="absolute" marginTop={field.row} marginLeft={field.column}>
          <TextField value={field.value} width={field.width} onChange={field.change} />
        </Box>
      )}
    </Box>
  );
}
