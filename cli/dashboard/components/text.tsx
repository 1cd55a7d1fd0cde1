// All text of the dashboard: in the terminal's 16 colors, in characters that it can show, and never with a control
// character from outside. No other component uses Ink's Text.
import { Box, Text as InkText } from 'ink';
import { Children, memo, type ReactNode } from 'react';
import { type Style, type Tone, toAscii, toSafeLine } from '../../../lib/console/index.js';
import { type Look, useLook } from '../terminal/look.js';
import { useClick } from './clickable.js';

export const COLORS = {
  queued: 'gray',
  running: 'blueBright',
  completed: 'green',
  failed: 'red',
  cancelled: 'yellow',
  training: 'cyan',
  evaluation: 'magenta',
  score: 'blueBright',
  accent: 'blueBright',
  warning: 'yellow',
  run1: 'blueBright',
  run2: 'yellow',
  run3: 'green',
  run4: 'magenta',
  run5: 'cyan',
  run6: 'red',
} as const satisfies Readonly<Record<Tone, string>>;

interface TextProps extends Style {
  readonly children?: ReactNode;
}

/** Text within a `Line`, or a part of other text. */
export function Text({ children, ...style }: TextProps) {
  const look = useLook();
  return <InkText {...inkStyle(style, look)}>{toSafeChildren(children, look)}</InkText>;
}

interface LineProps extends TextProps {
  /** All of the room by default. */
  readonly width?: number;
  readonly onClick?: (() => void) | undefined;
}

/** One row, cut with an ellipsis where it is wider than its room. */
export const Line = memo(function Line({ children, width, onClick, ...style }: LineProps) {
  const look = useLook();
  const ref = useClick(onClick);
  return (
    <Box
      ref={ref}
      height={1}
      minHeight={1}
      flexShrink={width === undefined ? 1 : 0}
      {...(width !== undefined && { width })}
      {...(!look.isUnicode && { overflowY: 'hidden' as const })}
    >
      <InkText {...inkStyle(style, look)} wrap={look.isUnicode ? 'truncate-end' : 'wrap'}>
        {toSafeChildren(children, look)}
      </InkText>
    </Box>
  );
});

function inkStyle({ tone, bold = false, dim = false, inverse = false, strike = false }: Style, look: Look) {
  return {
    ...(tone && look.isColored && { color: COLORS[tone] }),
    bold,
    dimColor: dim,
    inverse,
    strikethrough: strike,
  };
}

function toSafeChildren(children: ReactNode, { isUnicode }: Look): ReactNode {
  return Children.map(children, child => {
    if (typeof child !== 'string') return child;
    const safe = toSafeLine(child);
    return isUnicode ? safe : toAscii(safe);
  });
}
