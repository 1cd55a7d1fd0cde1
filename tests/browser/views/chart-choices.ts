// What somebody can switch on at a chart: none of it is on at first.
import { describe, expect, it } from 'vitest';
import { boxOf, goTo, hashOf } from '../elements.js';
import { pointsOf, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const TRAINING = 'polyline.training';

async function openChart() {
  const opened = await openJob();
  const { page } = opened;
  const chart = page.getByRole('slider').first();
  return {
    ...opened,
    chart,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    points: async () => pointsOf(page, TRAINING),
    /** Drags over a part of the plot, given as fractions. */
    async drag(from: number, to: number) {
      const { left, width } = await boxOf(page.locator('.axes line').first());
      const { y } = (await chart.boundingBox())!;
      await page.mouse.move(left + width * from, y + 100);
      await page.mouse.down();
      await page.mouse.move(left + (width * (from + to)) / 2, y + 110);
      await page.mouse.move(left + width * to, y + 110);
      await page.mouse.up();
    },
    ticks: () => page.locator('.axes > text[text-anchor=middle]').allTextContents(),
  };
}

describe('The switches of the chart', () => {
  it('A logarithmic scale has powers equally far apart; it stays after a reload, and at the next job.', async () => {
    const { page, logs, button, points } = await openChart();
    logs([100, 10, 1]);
    await until(async () => (await points()).length).toBe(3);
    expect(hashOf(page)).toBe(`#/jobs/${JOB.id}`);
    await button('Log scale').click();
    const steps = async () => {
      const [a, b, c] = (await points()).map(([, y]) => y);
      return Math.round(b! - a!) - Math.round(c! - b!);
    };
    await until(async () => Math.abs(await steps())).toBeLessThan(2);
    expect(hashOf(page)).toBe(`#/jobs/${JOB.id}?log=1`);
    await page.reload();
    await until(() => button('Log scale').getAttribute('aria-pressed')).toBe('true');
    await goTo(page, '#/jobs');
    await page.getByRole('link', { name: JOB.name }).click();
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}?log=1`);
    await button('Log scale').click();
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}`);
  });

  it('Smoothing shows the loss itself behind.', async () => {
    const { page, logs, button, points } = await openChart();
    logs([1, 5, 1, 5, 1, 5]);
    await until(async () => (await points()).length).toBe(6);
    const before = await points();
    await button('Smooth').click();
    await until(() => pointsOf(page, 'polyline.raw')).toEqual(before);
    expect(await points()).not.toEqual(before);
  });

  it('Outliers can be ignored, and the chart says how many there are.', async () => {
    const { page, logs, button } = await openChart();
    logs([900, ...Array.from({ length: 60 }, (_, index) => 1 + index / 100)]);
    const top = () => page.locator('.axes g text').last().textContent();
    await until(top).toBe('900');
    await button('Ignore outliers').click();
    await until(async () => Number(await top())).toBeLessThan(2);
    await page.getByText('1 value out of range').waitFor();
  });

  it('x counts what the events say: tokens, epochs, time.', async () => {
    const { page, log, chart, ticks } = await openChart();
    const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
    log({ step: 1, loss: 3, tokens: 500, timestamp: at(0) });
    log({ step: 2, loss: 2, tokens: 1500, timestamp: at(10) });
    log({ step: 3, loss: 1, tokens: 2000, timestamp: at(60) });
    await chart.waitFor();
    const axis = page.getByLabel('x-axis');
    expect(await axis.locator('option').allTextContents()).toEqual(['step', 'tokens', 'time']);
    await axis.selectOption('time');
    await until(ticks).toEqual(['0', '10 s', '20 s', '30 s', '40 s', '50 s', '1 min']);
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await until(() => page.locator('.tooltip .step').textContent()).toBe('Step 2 · 10.0 s');
    expect(hashOf(page)).toContain('x=time');
    await axis.selectOption('tokens');
    await until(async () => (await ticks()).at(-1)).toBe('4000');
  });

  it('The axis can reach to the end that is planned.', async () => {
    const { events, logs, button, points, ticks } = await openChart();
    events.push('training.started', { totalSteps: 100 });
    logs([5, 4, 3, 2, 1]);
    await until(async () => (await points()).length).toBe(5);
    expect(await ticks()).toEqual(['1', '2', '3', '4', '5']);
    await button('Planned end').click();
    await until(async () => (await ticks()).at(-1)).toBe('100');
    events.push('training.completed', { artifacts: [] });
    await until(ticks).toEqual(['1', '2', '3', '4', '5']);
    expect(await button('Planned end').count()).toBe(0);
  });

  it('Dragging zooms, a double click shows everything again, and neither opens the rows of a step.', async () => {
    const { page, logs, drag, points, ticks, chart, button } = await openChart();
    logs(Array.from({ length: 101 }, (_, index) => 1 + index));
    await until(async () => (await points()).length).toBe(101);
    await drag(0.2, 0.4);
    await until(async () => (await points()).length).toBeLessThan(30);
    expect(Number((await ticks())[0])).toBeGreaterThan(19);
    expect(hashOf(page)).toMatch(/zoom=2[01]/);
    const { x, y } = (await chart.boundingBox())!;
    await page.mouse.dblclick(x + 300, y + 100);
    await until(async () => (await points()).length).toBe(101);
    expect(hashOf(page)).toBe(`#/jobs/${JOB.id}`);
    await drag(0.4, 0.2);
    await button('Reset zoom').click();
    await until(async () => (await points()).length).toBe(101);
  });

  it('Plus and minus zoom around the crosshair, and 0 shows everything.', async () => {
    const { page, logs, points, chart } = await openChart();
    logs(Array.from({ length: 101 }, (_, index) => 1 + index));
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('+');
    await until(async () => (await points()).length).toBe(52);
    await page.keyboard.press('+');
    await until(async () => (await points()).length).toBe(27);
    await page.keyboard.press('-');
    await until(async () => (await points()).length).toBe(52);
    await page.keyboard.press('0');
    await until(async () => (await points()).length).toBe(101);
  });

  it('Every other number of the events has a chart of its own, when it is wanted.', async () => {
    const { page, log, button } = await openChart();
    log({ step: 1, loss: 3, learningRate: 0.1, memoryBytes: 2e8, rewardMargin: 0.5 });
    log({ step: 2, loss: 2, learningRate: 0.2, memoryBytes: 3e8, rewardMargin: 0.7 });
    const names = page.getByRole('group', { name: 'More charts' }).getByRole('button');
    await until(async () => (await names.allTextContents()).map(name => name.trim())).toEqual([
      'Learning rate',
      'Memory',
      'Reward margin',
    ]);
    expect(await page.locator(TRAINING).count()).toBe(1);
    await button('Memory').click();
    await until(() => page.locator(TRAINING).count()).toBe(2);
    const memory = page.getByRole('region', { name: 'Memory' });
    expect(await memory.locator('.title').innerText()).toContain('300 MB');
    expect(await memory.locator('.axes g text').allTextContents()).toContain('200 MB');
    await memory.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await until(() => page.locator('.tooltip').count()).toBe(2);
    expect(await memory.locator('.tooltip').innerText()).toContain('200 MB');
    expect(hashOf(page)).toContain('metrics=memoryBytes');
  });
});
