// A chart: asciichart plots the lines, and what it cannot draw is overlaid. asciichart's output has its own
// escape codes, so it is the only text passed to Ink unmodified.
import asciichart from 'asciichart';
import { Box, Text as InkText } from 'ink';
import { memo } from 'react';
import {
  type CellChart,
  type CellDrawing,
  type CellLineName,
  type Cells,
  chartCells,
  chartSymbols,
  drawnLines,
  type PenOf,
  type Style,
  type Tone,
  toRuns,
} from '../../../lib/console/index.js';
import { DIM, type Look, useGlyphs, useLook } from '../terminal/look.js';
import { COLORS, Line, Spans, Text } from './text.js';

const LOSS_PENS = {
  raw: { style: { tone: 'training', dim: true } },
  training: { style: { tone: 'training' } },
  evaluation: { style: { tone: 'evaluation' }, isDashed: true },
} as const;

interface LossChartProps {
  readonly chart: CellChart;
  /** The cursor's position on the x-axis. */
  readonly cursor: number | null;
  /** The series is a score, so its points are not evaluations. */
  readonly isScore: boolean;
}

/** The loss chart, or the chart of a metric or score. Re-renders only when its content changes. */
export const LossChart = memo(function LossChart({ chart, cursor, isScore }: LossChartProps) {
  const { mark, scoreMark } = useGlyphs();
  const penOf = (name: CellLineName) =>
    isScore ? { style: { tone: 'score' } as const, mark: scoreMark } : { ...LOSS_PENS[name], mark };
  return <CellPicture chart={chart} cursor={cursor} penOf={penOf} />;
});

interface CellPictureProps<Name extends string> {
  readonly chart: CellDrawing<Name>;
  readonly cursor: number | null;
  readonly penOf: PenOf<Name>;
}

export function CellPicture<Name extends string>({ chart, cursor, penOf }: CellPictureProps<Name>) {
  const look = useLook();
  const cells = chartCells(chart, cursor, penOf, look.glyphs);
  const labelWidth = chart.yLabels[0]!.length;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {chart.isFine ? (
        <BrailleRows chart={chart} cells={cells} />
      ) : (
        <>
          {plot(chart, penOf, look).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a picture have no other name
            <InkText key={index} wrap="truncate-end">
              {row}
            </InkText>
          ))}
          <Over cells={cells} left={labelWidth} />
        </>
      )}
      <Line dim>{' '.repeat(labelWidth + 1) + chart.xLabels}</Line>
    </Box>
  );
}

function BrailleRows({ chart, cells }: { chart: CellDrawing; cells: Cells }) {
  return cells.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows of a picture have no other name
    <Line key={index}>
      <Text dim>{chart.yLabels[index]}</Text>
      {toRuns(row, true).map(({ column, spans }) => (
        <Spans key={column} spans={spans} />
      ))}
    </Line>
  ));
}

/** The overlay on top of asciichart's rows. */
function Over({ cells, left }: { cells: Cells; left: number }) {
  const runs = cells.flatMap((row, top) => toRuns(row, false).map(run => ({ ...run, top })));
  return runs.map(({ top, column, spans }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what moves over the picture stays what it is
    <Box key={index} position="absolute" marginLeft={left + column} marginTop={top}>
      <InkText>
        <Spans spans={spans} />
      </InkText>
    </Box>
  ));
}

/** Our tones as asciichart colors. */
const INKS: Readonly<Record<(typeof COLORS)[Tone], string>> = {
  gray: asciichart.darkgray,
  blueBright: asciichart.lightblue,
  green: asciichart.green,
  red: asciichart.red,
  yellow: asciichart.yellow,
  cyan: asciichart.cyan,
  magenta: asciichart.magenta,
};

function inkOf({ tone, dim }: Style, { isColored }: Look): string | undefined {
  return (dim ? DIM : '') + (tone && isColored ? INKS[COLORS[tone]] : '') || undefined;
}

/** Rows are counted from 1, because asciichart draws an extra axis at 0. */
function plot<Name extends string>(chart: CellDrawing<Name>, penOf: PenOf<Name>, look: Look): string[] {
  const { rows, yLabels } = chart;
  const lines = drawnLines(chart, penOf);
  const [cross, axis, ...symbols] = chartSymbols(look.glyphs);
  const quiet = (text: string) => asciichart.colored(text, DIM);
  const series = lines.map(({ start, rows, end }) =>
    [...new Array<number>(start).fill(rows[0]!), ...rows, end].map(row => row + 1),
  );
  const plotted = asciichart.plot(series, {
    min: 1,
    max: rows,
    height: rows - 1,
    offset: 2,
    colors: lines.map(({ name }) => inkOf(penOf(name).style, look)),
    symbols: [cross!, quiet(axis!), ...symbols],
    format: (_row, index) => quiet(yLabels[index]!),
  });
  // The last value only ends the line; asciichart leaves a blank column for it.
  return plotted.split('\n').map(row => row.slice(0, -1));
}
