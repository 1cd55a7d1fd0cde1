// The frame of every view: its parts, and below them a line of its own.
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { RoomContext, useRoom } from '../terminal/use-room.js';
import { Foot } from './foot.js';

interface ViewProps {
  /** The view's own line. What does not fit there covers the last rows of the view. */
  readonly status?: ReactNode;
  /** What is said beside a text field in its place, where it fits. */
  readonly beside?: string;
  /** A text field of the view's own, in the place of its line. */
  readonly field?: ReactNode;
  readonly children: ReactNode;
}

export function View({ status, beside, field, children }: ViewProps) {
  const { width, height } = useRoom();
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Box flexDirection="column" flexGrow={1} flexBasis={0} overflowY="hidden">
        <RoomContext.Provider value={{ width, height: height - 1 }}>{children}</RoomContext.Provider>
      </Box>
      <Foot beside={beside} field={field}>
        {status}
      </Foot>
    </Box>
  );
}
