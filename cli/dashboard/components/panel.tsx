// A box with a title in its top edge, of exactly the given size.
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { cutToWidth, displayWidth, type Tone, toSafeLine } from '../../../lib/console/index.js';
import { RoomContext, type Size, useLook } from '../terminal/look.js';
import { COLORS, Line, Text } from './text.js';

interface PanelProps extends Size {
  readonly title: string;
  /** Text at the right of the top edge; the first variant that fits. */
  readonly aside?: string | readonly string[] | undefined;
  /** The color of the border. */
  readonly tone?: Tone | undefined;
  readonly children?: ReactNode;
}

/** The size of a panel's content. */
export function insidePanel({ width, height }: Size): Size {
  return { width: Math.max(0, width - 4), height: Math.max(0, height - 2) };
}

export function Panel({ title, aside = '', width, height, tone, children }: PanelProps) {
  const { glyphs, isColored } = useLook();
  if (height < 2 || width < 4) return null;
  const name = cutToWidth(toSafeLine(title), width - 6);
  const room = width - displayWidth(name) - 9;
  const asideText = toSafeLine([aside].flat().find(text => displayWidth(text) <= room) ?? '');
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Box
        width={width}
        height={height}
        borderStyle={glyphs.border}
        borderDimColor={tone === undefined}
        {...(tone && isColored && { borderColor: COLORS[tone] })}
        paddingX={1}
        flexDirection="column"
        overflowY="hidden"
      >
        <RoomContext.Provider value={insidePanel({ width, height })}>{children}</RoomContext.Provider>
      </Box>
      <Box position="absolute" marginLeft={2}>
        <Line bold>{` ${name} `}</Line>
      </Box>
      {asideText !== '' && (
        <Box position="absolute" marginLeft={width - displayWidth(asideText) - 4}>
          <Line>
            <Text dim>{` ${asideText} `}</Text>
          </Line>
        </Box>
      )}
    </Box>
  );
}
