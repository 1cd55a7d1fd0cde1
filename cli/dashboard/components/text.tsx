// All text in the dashboard goes through here: the terminal's 16 colors, only characters that it can show,
// and no control characters from untrusted input. No other component uses Ink's Text.
import { Box, Text as InkText } from 'ink';
import { Children, memo, type ReactNode } from 'react';
import { type Span, type Style, type Tone, toAscii, toSafeLine } from '../../../lib/console/index.js';
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

/** Text inside a `Line` or inside other text. */
export function Text({ children, ...style }: TextProps) {
  const look = useLook();
  return <InkText {...inkStyle(style, look)}>{toSafeChildren(children, look)}</InkText>;
}

interface LineProps extends TextProps {
  /** Default: all the available width. */
  readonly width?: number;
  readonly onClick?: (() => void) | undefined;
}

/** One row, cut with an ellipsis if it is too wide. */
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

/** Styled text that is already wrapped and laid out. */
export function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, style }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
    <Text key={index} {...style}>
      {text}
    </Text>
  ));
}

/** Full rows; one without text is blank. */
export function SpanRows({ rows }: { rows: readonly (readonly Span[])[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text have no other name
  return rows.map((spans, index) => <SpanRow key={index} spans={spans} />);
}

/** Re-renders only when its text changes. */
const SpanRow = memo(
  ({ spans }: { spans: readonly Span[] }) => <Line>{spans.length > 0 ? <Spans spans={spans} /> : ' '}</Line>,
  (before, after) => JSON.stringify(before) === JSON.stringify(after),
);
