import { describe, expect, it } from 'vitest';
import { boxOf, styleOf } from '../elements.js';
import { pointsOf, until } from '../harness.js';
import { openJob } from './open-job.js';

const TRAINING = 'polyline.training';
const EVALUATION = 'polyline.evaluation';

async function openChart() {
  const opened = await openJob();
  const { page } = opened;
  const chart = page.getByRole('slider');
  const tooltip = page.locator('.tooltip');
  return {
    ...opened,
    chart,
    tooltip,
    /** Moves the mouse to where a step is, or would be. */
    async hover(step: number, from: number, to: number) {
      const { left, width } = await boxOf(page.locator('.lines'));
      const { y } = (await chart.boundingBox())!;
      // The lines' box is wider than the plot by half a marker on either side, if there are markers.
      await page.mouse.move(left + (width * (step - from)) / (to - from), y + 100);
    },
    reading: async () =>
      (await tooltip.locator('p').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()),
  };
}

describe('Loss chart', () => {
  it('SVG, y-axis min-max scaled', async () => {
    const { page, logs, log } = await openChart();
    logs([5, 3, 9]);
    await page.locator(TRAINING).waitFor();
    const [first, second, third] = (await pointsOf(page, TRAINING)).map(([, y]) => y);
    expect(await page.locator('svg polyline').count()).toBe(1);
    expect(await page.locator('canvas').count()).toBe(0);
    expect((second! - first!) / (second! - third!)).toBeCloseTo(1 / 3, 3);
    log({ step: 4, loss: 7 });
    await until(async () => (await pointsOf(page, TRAINING)).length).toBe(4);
    expect(second).toBeGreaterThan(third!);
  });

  it('x-axis is step number', async () => {
    const { page, log } = await openChart();
    for (const step of [1, 2, 101, 101]) log({ step, loss: step });
    await until(async () => (await pointsOf(page, TRAINING)).length).toBe(4);
    const x = (await pointsOf(page, TRAINING)).map(([at]) => at);
    expect((x[2]! - x[0]!) / (x[1]! - x[0]!)).toBeCloseTo(100, 0);
    expect(x[3]).toBe(x[2]);
  });

  it('training loss (solid line, one vertex per event with numeric `loss`)', async () => {
    const { page, logs, log } = await openChart();
    logs(Array.from({ length: 4998 }, (_, index) => 1 / (index + 1)));
    log({ step: 4998, loss: 0 });
    log({ step: 5000, loss: 0.5 });
    log({ step: 5001, loss: '7' });
    await until(async () => (await pointsOf(page, TRAINING)).length).toBe(5000);
    expect(await page.locator(TRAINING).getAttribute('stroke-dasharray')).toBeNull();
    expect(await styleOf(page.locator(TRAINING), 'strokeDasharray')).toBe('none');
  });

  it('eval loss (dashed line with point markers, from events with numeric `evalLoss`, including eval-only frames).', async () => {
    const { page, log } = await openChart();
    log({ step: 1, loss: 4, evalLoss: 5 });
    log({ step: 5, evalLoss: 3 });
    log({ step: 10, loss: null, evalLoss: 2 });
    log({ step: 15, loss: 1, evalLoss: 1 });
    await until(() => page.locator('.lines circle').count()).toBe(4);
    expect(await page.locator(EVALUATION).getAttribute('stroke-dasharray')).toBe('6 4');
    expect(await pointsOf(page, EVALUATION)).toHaveLength(4);
    expect(await pointsOf(page, TRAINING)).toHaveLength(2);
  });

  it('The eval legend entry is hidden until the first eval point.', async () => {
    const { log, legend } = await openChart();
    log({ step: 1, loss: 1, evalLoss: null });
    await until(legend).toEqual(['Training loss']);
    log({ step: 2, evalLoss: 1 });
    await until(legend).toEqual(['Training loss', 'Eval loss']);
  });

  it('Hover shows the nearest step', async () => {
    const { page, log, hover, reading } = await openChart();
    for (const step of [10, 20, 40]) log({ step, loss: step / 10 });
    await until(async () => (await pointsOf(page, TRAINING)).length).toBe(3);
    await hover(27, 10, 40);
    await until(reading).toEqual(['Step 20', 'Training loss 2']);
    await hover(33, 10, 40);
    await until(reading).toEqual(['Step 40', 'Training loss 4']);
    await page.mouse.move(5, 5);
    await until(reading).toEqual([]);
  });

  it('and whichever of loss / evalLoss exist at that step.', async () => {
    const { page, log, hover, reading } = await openChart();
    log({ step: 10, loss: 1 });
    log({ step: 20, evalLoss: 2 });
    log({ step: 30, loss: 3 });
    log({ step: 30, evalLoss: 0.123456 });
    await until(() => page.locator('.lines circle').count()).toBe(2);
    for (const [step, shown] of [
      [10, ['Step 10', 'Training loss 1']],
      [20, ['Step 20', 'Eval loss 2']],
      [30, ['Step 30', 'Training loss 3', 'Eval loss 0.1235']],
    ] as const) {
      await hover(step, 10, 30);
      await until(reading).toEqual(shown);
    }
  });

  it('Until one event with numeric `loss` or `evalLoss` arrives the chart shows a waiting placeholder', async () => {
    const { page, events, log, rows } = await openChart();
    events.push('training.started', {});
    log({ step: 1 });
    log({ step: 2, loss: null, evalLoss: null });
    events.push('checkpoint.saved', { step: 2, loss: 1 });
    await until(async () => (await rows()).length).toBe(4);
    expect(await page.getByText('Waiting for the first loss…').count()).toBe(1);
    expect(await page.locator('svg polyline').count()).toBe(0);
    log({ step: 3, evalLoss: 2 });
    await page.locator('.lines circle').waitFor();
    expect(await page.getByText('Waiting for the first loss…').count()).toBe(0);
  });

  it('Nothing moves when the first loss comes.', async () => {
    const { page, log } = await openChart();
    const card = page.getByRole('region', { name: 'Loss', exact: true });
    await page.getByText('Waiting for the first loss…').waitFor();
    const before = await boxOf(card);
    log({ step: 1, loss: 1, evalLoss: 2 });
    await page.getByRole('slider').waitFor();
    expect(await boxOf(card)).toEqual(before);
  });

  it('The labels of the steps do not run into each other on a small screen.', async () => {
    const { page, log } = await openChart();
    for (const step of [1, 1_200_000]) log({ step, loss: 1 });
    const labels = page.locator('.axes > text[text-anchor=middle]');
    await until(() => labels.count()).toBeGreaterThan(3);
    await page.setViewportSize({ width: 360, height: 740 });
    await until(() => labels.count()).toBeLessThan(4);
    expect(await labels.count()).toBeGreaterThan(0);
    const boxes = await Promise.all((await labels.all()).map(boxOf));
    for (const [index, { left }] of boxes.slice(1).entries())
      expect(left).toBeGreaterThan(boxes[index]!.right);
  });

  it('The tooltip never leaves the card.', async () => {
    const { page, log, hover, tooltip } = await openChart();
    for (const step of [0, 1000]) log({ step, loss: step });
    await page.locator(TRAINING).waitFor();
    const card = (await page.getByRole('region', { name: 'Loss', exact: true }).boundingBox())!;
    for (const step of [1, 990]) {
      await hover(step, 0, 1000);
      const box = (await tooltip.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(card.x);
      expect(box.x + box.width).toBeLessThanOrEqual(card.x + card.width);
    }
  });

  it('Left and right move the crosshair, and the values are announced.', async () => {
    const { page, chart, log, reading } = await openChart();
    log({ step: 10, loss: 1 });
    log({ step: 20, loss: 2, evalLoss: 3 });
    log({ step: 30, loss: 4 });
    await chart.waitFor();
    await page.getByRole('button', { name: 'Advanced' }).focus();
    await page.keyboard.press('Tab');
    const spoken = () => chart.getAttribute('aria-valuetext');
    await until(spoken).toBe('Step 30: training loss 4');
    await page.keyboard.press('ArrowLeft');
    await until(spoken).toBe('Step 20: training loss 2, eval loss 3');
    expect(await chart.getAttribute('aria-valuenow')).toBe('20');
    await page.keyboard.press('Home');
    await until(spoken).toBe('Step 10: training loss 1');
    await page.keyboard.press('ArrowRight');
    await until(reading).toEqual(['Step 20', 'Training loss 2', 'Eval loss 3']);
    await page.keyboard.press('Escape');
    await until(reading).toEqual([]);
  });

  it('The legend takes a series out of the chart and brings it back.', async () => {
    const { page, log } = await openChart();
    log({ step: 1, loss: 1, evalLoss: 10 });
    log({ step: 2, loss: 2, evalLoss: 20 });
    const training = page.getByRole('button', { name: 'Training loss' });
    await training.click();
    await until(() => page.locator(TRAINING).count()).toBe(0);
    expect(await training.getAttribute('aria-pressed')).toBe('false');
    expect(await pointsOf(page, EVALUATION)).toHaveLength(2);
    await training.click();
    await until(() => page.locator(TRAINING).count()).toBe(1);
  });

  it('One vertex per event, also the 40,000th.', async () => {
    const { page, logs } = await openChart();
    logs(Array.from({ length: 40_000 }, (_, index) => Math.sin(index)));
    await until(async () => (await pointsOf(page, TRAINING)).length).toBe(40_000);
    expect(await page.locator('svg polyline').count()).toBe(1);
    expect(await page.locator(TRAINING).getAttribute('stroke-dasharray')).toBeNull();
  });

  it('A series of one value, or of equal values, is drawn.', async () => {
    const { page, log } = await openChart();
    log({ step: 1, loss: 2 });
    await page.locator('line.training').waitFor({ state: 'attached' });
    log({ step: 2, loss: 2 });
    await until(async () => (await pointsOf(page, TRAINING)).length).toBe(2);
    expect(await page.locator('main').innerHTML()).not.toContain('NaN');
  });
});
