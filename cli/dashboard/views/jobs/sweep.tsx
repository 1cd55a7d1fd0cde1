// The sweep whose runs are listed: its progress, its best run, and its runs as lines across parallel axes,
// one for each setting and one for the result. The best run and the one selected in the table below are
// highlighted.
import { Box } from 'ink';
import {
  type Style,
  type Sweep,
  type SweepPicture,
  sweepHead,
  sweepPicture,
} from '../../../../lib/console/index.js';
import { CellPicture } from '../../components/chart.js';
import { Line, SpanRows, Text } from '../../components/text.js';
import { useGlyphs, useRoom } from '../../terminal/look.js';

const OTHERS: Style = { tone: 'training', dim: true };
const BEST: Style = { tone: 'evaluation', bold: true };
const SELECTED: Style = { bold: true };
/** A tick's arms: right, up and down. */
const TICK = 2 + 4 + 8;

interface SweepPartProps {
  readonly sweep: Sweep;
  /** The ID of the selected run. */
  readonly selected: string | undefined;
  readonly height: number;
}

export function SweepPart({ sweep, selected, height }: SweepPartProps) {
  const { width } = useRoom();
  const isFine = useGlyphs().hasBraille;
  const head = sweepHead(sweep, width);
  const picture = sweepPicture(sweep, { width, height: height - head.length, isFine, selected });
  const winner = sweep.winner?.id;
  const styleOf = (id: string) => (id === winner ? BEST : id === selected ? SELECTED : OTHERS);
  return (
    <Box flexDirection="column" height={height} flexShrink={0}>
      <SpanRows rows={head} />
      {picture && (
        <Box flexDirection="column" marginLeft={1}>
          <Line dim>{picture.titles}</Line>
          <Box height={picture.chart.rows} flexDirection="column">
            <CellPicture
              chart={picture.chart}
              cursor={null}
              penOf={id => ({ style: styleOf(id), mark: '', addsDots: true })}
            />
            <Axes {...picture} />
          </Box>
        </Box>
      )}
    </Box>
  );
}

function Axes({ axes, chart: { rows } }: SweepPicture) {
  const { solid, vertical } = useGlyphs();
  const fromTop = Array.from({ length: rows }, (_, index) => rows - 1 - index);
  return axes.map(({ title, column, ticks }) => (
    <Box key={title} position="absolute" marginLeft={column} flexDirection="column">
      {fromTop.map(row => {
        const tick = ticks.find(tick => tick.row === row);
        return (
          <Line key={row}>
            <Text dim>{tick ? solid[TICK] : vertical}</Text>
            {tick && ` ${tick.label} `}
          </Line>
        );
      })}
    </Box>
  ));
}
