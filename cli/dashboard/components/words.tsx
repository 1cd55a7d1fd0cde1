// Shared text components: paragraphs, messages, errors, centered text, and rows with left and right parts.
import { Box } from 'ink';
import type { ReactNode } from 'react';
import {
  fitText,
  messageRows,
  paragraphRows,
  problemRows,
  type Span,
  type Style,
} from '../../../lib/console/index.js';
import type { JobStatus } from '../../../lib/contract/index.js';
import { useGlyphs, useRoom } from '../terminal/look.js';
import { Line, SpanRows, Spans, Text } from './text.js';

/** `● running`: a glyph as well as a color. Padded to `width` if given. */
export function StatusText({ status, width }: { status: JobStatus; width?: number }) {
  const { status: signs } = useGlyphs();
  const style = status === 'queued' ? { dim: true } : { tone: status };
  const words = statusWords(status, signs);
  return <Text {...style}>{width === undefined ? words : fitText(words, width)}</Text>;
}

export function statusWords(status: JobStatus, signs: Readonly<Record<JobStatus, string>>): string {
  return `${signs[status]} ${status}`;
}

interface ParagraphProps extends Style {
  readonly children: string;
  readonly limit?: number | undefined;
  /** Left indent in columns. */
  readonly indent?: number;
}

export function Paragraph({ children, limit, indent = 0, ...style }: ParagraphProps) {
  const { width } = useRoom();
  const rows = paragraphRows(children, width - indent, limit);
  return (
    <Box flexDirection="column" flexShrink={0} marginLeft={indent}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text have no other name
        <Line key={index} {...style}>
          {row}
        </Line>
      ))}
    </Box>
  );
}

const MOST_PROBLEM_ROWS = 3;

/** The height of an error message in rows. */
export function problemHeight(problem: string | null, width: number, limit = MOST_PROBLEM_ROWS): number {
  return problem === null ? 0 : messageRows(problem, width - 2, {}, limit).length;
}

/** An error message, in red; nothing for null. */
export function Problem({ text, limit = MOST_PROBLEM_ROWS }: { text: string | null; limit?: number }) {
  const { width } = useRoom();
  const { status } = useGlyphs();
  if (text === null) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <SpanRows rows={problemRows(text, status.failed, width, limit)} />
    </Box>
  );
}

/** A centered empty state: why there is nothing here, and what to do about it. */
export function Empty({ title, hint }: { title?: string; hint?: string | false }) {
  return (
    <Box flexGrow={1} flexDirection="column" alignItems="center" justifyContent="center">
      {title && <Line bold>{title}</Line>}
      {hint && <Line dim>{hint}</Line>}
    </Box>
  );
}

/** A loading placeholder: blank at first, then a word. */
export function Waiting({ isSlow }: { isSlow: boolean }) {
  return <Empty hint={isSlow && 'Loading…'} />;
}

/** A left and a right part; if they do not both fit, the left one is cut. */
export function Spread({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <Box flexShrink={0} justifyContent="space-between" gap={1}>
      <Box flexShrink={1} flexGrow={1}>
        {left}
      </Box>
      <Box flexShrink={0}>{right}</Box>
    </Box>
  );
}

/** Like `Spread` for styled text; neither part is cut. */
export function Ends({ left, right }: { left: readonly Span[]; right: string }) {
  const spans = (
    <Line>
      <Spans spans={left} />
    </Line>
  );
  return <Spread left={spans} right={right !== '' && <Line dim>{right}</Line>} />;
}
