// The event log as rows of a terminal: an event in a column of its own, and its message on as many rows as it needs.
import { padToWidth, wrapToWidth } from './display-width.js';
import type { RowPlace, RowSource } from './follow-scroll.js';
import type { LogEntry } from './log-entries.js';
import { logTime } from './log-view.js';
import { toSafeLine } from './safe-text.js';
import { fitText, type Span, type Tone } from './spans.js';

const NAME_WIDTH = 18;
const TIME_WIDTH = 8;
const GAP = '  ';

/** Events highlighted among the steps. */
const TONES: Readonly<Record<string, Tone>> = {
  'checkpoint.saved': 'training',
  'score.recorded': 'score',
  'training.completed': 'completed',
  'training.failed': 'failed',
};

interface LogRows extends RowSource {
  row(place: RowPlace): Span[];
}

export function logRows(log: readonly LogEntry[], width: number, showsTime: boolean): LogRows {
  const room = width - NAME_WIDTH - GAP.length - (showsTime ? TIME_WIDTH + GAP.length : 0);
  // Keys are consecutive but for a filter's gaps, so that an entry keeps its place when others are dropped.
  const first = log[0]?.key ?? 0;
  const textsOf = (item: number) => wrapToWidth(toSafeLine(log[item - first]!.message), Math.max(1, room));
  return {
    first,
    end: first + log.length,
    rowsOf: item => textsOf(item).length,
    row({ item, row }) {
      const entry = log[item - first]!;
      const [name, time] = row === 0 ? [entry.event, logTime(entry)] : ['', ''];
      const tone = TONES[name];
      return [
        ...(showsTime ? [{ text: padToWidth(time, TIME_WIDTH) + GAP, style: { dim: true } }] : []),
        { text: fitText(name, NAME_WIDTH), style: tone ? { tone } : { dim: true } },
        { text: GAP + textsOf(item)[row]! },
      ];
    },
  };
}
