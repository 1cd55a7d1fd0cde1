// A run's main chart as a picture, which agents can look at: the same model as in Studio and the terminal.
import {
  type ChartVertex,
  chartModel,
  emptySeries,
  extendSeries,
  type MetricSeries,
  mainCurve,
  mainPair,
  plotArea,
  plotWords,
  plotX,
  plotY,
} from '../../lib/console/index.js';
import { CHARACTER_WIDTH, type Color, createPicture } from './picture.js';

const SIZE = { width: 800, height: 420 };
const MARGINS = { character: CHARACTER_WIDTH, gap: 14, top: 40, right: 24, bottom: 36 };
const WHITE: Color = [255, 255, 255];
const INK: Color = [90, 95, 105];
const GRID: Color = [225, 228, 232];
const TRAINING: Color = [37, 99, 235];
const EVALUATION: Color = [217, 119, 6];

export const NO_CURVE = 'The job has no loss or reward yet.';

/** Its losses, or its rewards if it learns from them; null without any. `events`: those of a job. */
export function drawCurve(events: readonly Readonly<Record<string, unknown>>[]): Buffer | null {
  const logs = events.filter(({ type }) => type === 'training.log');
  const losses = { training: toSeries(logs, 'loss'), evaluation: toSeries(logs, 'evalLoss') };
  const rewards = { reward: toSeries(logs, 'reward'), evalReward: toSeries(logs, 'evalReward') };
  const pair = mainPair(losses, rewards);
  const { labels } = plotWords(mainCurve(rewards), 'step', rewards);
  const chart = chartModel(pair);
  if (chart.waiting) return null;
  const picture = createPicture(SIZE.width, SIZE.height, WHITE);
  const yTicks = chart.y.ticks;
  const area = plotArea(
    SIZE,
    yTicks.map(({ label }) => label),
    MARGINS,
  );
  const bottom = area.top + area.height;
  for (const { position, label } of yTicks) {
    const y = plotY(area, position);
    picture.line([area.left, y], [area.left + area.width, y], GRID);
    picture.text([area.left - 8, y], label, INK, 'right');
  }
  for (const { position, label } of chart.x.ticks)
    picture.text([plotX(area, position), bottom + 16], label, INK, 'center');
  picture.line([area.left, bottom], [area.left + area.width, bottom], INK);

  const draw = (vertices: readonly ChartVertex[], color: Color) => {
    vertices.forEach((vertex, index) => {
      const to = [plotX(area, vertex.x), plotY(area, vertex.y)] as const;
      const before = vertices[index - 1];
      picture.line(before ? [plotX(area, before.x), plotY(area, before.y)] : to, to, color, 2);
    });
  };
  draw(chart.training, TRAINING);
  draw(chart.evaluation, EVALUATION);
  let left = area.left;
  for (const [label, series, color] of [
    [labels.training, pair.training, TRAINING],
    [labels.evaluation, pair.evaluation, EVALUATION],
  ] as const) {
    if (series.length === 0) continue;
    const name = label.toLowerCase();
    picture.line([left, 18], [left + 20, 18], color, 3);
    picture.text([left + 28, 19], name, INK);
    left += 28 + (name.length + 3) * CHARACTER_WIDTH;
  }
  return picture.toPng();
}

function toSeries(logs: readonly Readonly<Record<string, unknown>>[], field: string): MetricSeries {
  const builder = extendSeries(emptySeries);
  for (const log of logs)
    if (typeof log.step === 'number' && typeof log[field] === 'number') builder.add(log.step, log[field]);
  return builder.build();
}
