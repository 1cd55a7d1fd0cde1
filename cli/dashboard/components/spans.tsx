// Text of several styles that was wrapped or laid out before.
import { memo } from 'react';
import type { Span } from '../../../lib/console/index.js';
import { Line, Text } from './text.js';

export function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, style }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
    <Text key={index} {...style}>
      {text}
    </Text>
  ));
}

/** Whole rows; one without text is blank. */
export function SpanRows({ rows }: { rows: readonly (readonly Span[])[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text have no other name
  return rows.map((spans, index) => <SpanRow key={index} spans={spans} />);
}

/** Drawn again only if it says something else. */
const SpanRow = memo(
  ({ spans }: { spans: readonly Span[] }) => <Line>{spans.length > 0 ? <Spans spans={spans} /> : ' '}</Line>,
  (before, after) => JSON.stringify(before) === JSON.stringify(after),
);
