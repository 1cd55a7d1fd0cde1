// A job's chart: what it draws, how one reads it by mouse and keys, and what can be switched on.
import { describe, expect, it } from 'vitest';
import { boxOf, hashOf, isFocused, styleOf } from '../elements.js';
import { pointsOf, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const TRAINING = 'polyline.training';
const EVALUATION = 'polyline.evaluation';

async function openChart() {
  const opened = await openJob();
  const { page } = opened;
  const chart = page.getByRole('slider').first();
  const points = () => pointsOf(page, TRAINING);
  const moveTo = async (fraction: number, box: string, down = 100) => {
    const { left, width } = await boxOf(page.locator(box).first());
    await page.mouse.move(left + width * fraction, (await chart.boundingBox())!.y + down);
  };
  return {
    ...opened,
    chart,
    tooltip: page.locator('.tooltip'),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    points,
    count: async () => (await points()).length,
    ticks: () => page.locator('.axes > text[text-anchor=middle]').allTextContents(),
    async legend() {
      const buttons = page.getByRole('group', { name: 'Series' }).getByRole('button');
      return (await buttons.allTextContents()).map(text => text.trim());
    },
    /** Moves the mouse over the lines, from 0 on the left to 1 on the right. */
    hover: (fraction: number) => moveTo(fraction, '.lines'),
    /** Drags over a part of the plot. */
    async drag(from: number, to: number) {
      await moveTo(from, '.axes line');
      await page.mouse.down();
      await moveTo((from + to) / 2, '.axes line', 110);
      await moveTo(to, '.axes line', 110);
      await page.mouse.up();
    },
    reading: async () =>
      (await page.locator('.tooltip p').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()),
  };
}

describe('Loss chart', () => {
  it('draws training as a solid line and evaluation as a dashed one with markers, from the first value on, and moves nothing', async () => {
    const { page, log, legend, points, count, rows, ticks, card, button, sees } = await openChart();
    log({ step: 1, loss: null, evalLoss: null });
    await until(async () => (await rows()).length).toBe(1);
    await sees('Waiting for the first loss…');
    expect(await page.locator('svg polyline').count()).toBe(0);
    const before = await boxOf(card('Loss'));
    log({ step: 1, loss: 5 });
    await page.locator('line.training').waitFor({ state: 'attached' });
    expect(await page.getByText('Waiting for the first loss…').count()).toBe(0);
    expect(await boxOf(card('Loss'))).toEqual(before);
    expect(await legend()).toEqual(['Training loss']);
    log({ step: 2, loss: 3 });
    log({ step: 101, loss: 9 });
    await until(count).toBe(3);
    expect(await styleOf(page.locator(TRAINING), 'strokeDasharray')).toBe('none');
    log({ step: 5, evalLoss: 3 });
    log({ step: 101, evalLoss: 2 });
    await until(() => page.locator('.lines circle').count()).toBe(2);
    expect(await legend()).toEqual(['Training loss', 'Eval loss']);
    expect(await page.locator(EVALUATION).getAttribute('stroke-dasharray')).toBe('6 4');
    expect(await points()).toHaveLength(3);

    // The legend takes a series out of the chart and brings it back.
    await button('Training loss').click();
    await until(() => page.locator(TRAINING).count()).toBe(0);
    expect(await button('Training loss').getAttribute('aria-pressed')).toBe('false');
    expect(await pointsOf(page, EVALUATION)).toHaveLength(2);
    await button('Training loss').click();
    await until(() => page.locator(TRAINING).count()).toBe(1);

    // Labels of steps do not run into each other on a small screen.
    log({ step: 1_200_000, loss: 1 });
    await until(async () => (await ticks()).length).toBeGreaterThan(3);
    await page.setViewportSize({ width: 360, height: 740 });
    await until(async () => (await ticks()).length).toBeLessThan(4);
    const labels = await page.locator('.axes > text[text-anchor=middle]').all();
    const boxes = await Promise.all(labels.map(boxOf));
    expect(boxes.length).toBeGreaterThan(0);
    for (const [index, { left }] of boxes.slice(1).entries())
      expect(left).toBeGreaterThan(boxes[index]!.right);
  });

  it('shows the nearest step with what it has, under the mouse and by keys, which announce it; a click or Enter opens its rows', async () => {
    const { page, log, chart, hover, reading, count, tooltip, card, button, isOn, keys, back } =
      await openChart();
    log({ step: 1, loss: 1 });
    log({ step: 2, loss: 2, evalLoss: 3 });
    log({ step: 4, loss: 4 });
    log({ step: 4, evalLoss: 0.123456 });
    await until(count).toBe(3);
    const { left, right } = await boxOf(card('Loss'));
    for (const [fraction, shown] of [
      [0.02, ['Step 1', 'Training loss 1']],
      [0.46, ['Step 2', 'Training loss 2', 'Eval loss 3']],
      [0.98, ['Step 4', 'Training loss 4', 'Eval loss 0.1235']],
    ] as const) {
      await hover(fraction);
      await until(reading).toEqual(shown);
      const box = await boxOf(tooltip);
      expect(box.left).toBeGreaterThanOrEqual(left);
      expect(box.right).toBeLessThanOrEqual(right);
    }
    await page.mouse.move(5, 5);
    await until(reading).toEqual([]);

    await button('Advanced').focus();
    for (const [key, spoken] of [
      ['Tab', 'Step 4: training loss 4, eval loss 0.1235'],
      ['ArrowLeft', 'Step 2: training loss 2, eval loss 3'],
      ['Home', 'Step 1: training loss 1'],
    ] as const) {
      await keys(key);
      await until(() => chart.getAttribute('aria-valuetext')).toBe(spoken);
    }
    expect(await chart.getAttribute('aria-valuenow')).toBe('1');
    await keys('ArrowRight');
    await until(reading).toEqual(['Step 2', 'Training loss 2', 'Eval loss 3']);
    await keys('Escape');
    await until(reading).toEqual([]);
    await keys('End', 'Enter').isOn('Rows of step 4');
    await page.getByRole('columnheader', { name: 'In this step' }).waitFor();
    await back();
    await hover(0.46);
    await page.mouse.down();
    await page.mouse.up();
    await isOn('Rows of step 2');
  });

  it('has one vertex per event, also the 40,000th', async () => {
    const { page, log } = await openChart();
    // Counted where they are: to send them all here for each look takes longer than to draw them.
    const count = () =>
      page.evaluate<number>(`document.querySelector('${TRAINING}')?.points.numberOfItems ?? 0`);
    // In parts, so that the page says how far it is: it answers nothing while it reads.
    for (let step = 1; step <= 40_000; step++) {
      log({ step, loss: Math.sin(step) });
      if (step % 4000 === 0) await until(count).toBe(step);
    }
    expect(await page.locator('svg polyline').count()).toBe(1);
    expect(await page.locator(TRAINING).getAttribute('stroke-dasharray')).toBeNull();
  });
});

describe('The switches of the chart', () => {
  it('A logarithmic scale stays after a reload, and at the next job; smoothing shows the loss itself behind; outliers can be ignored.', async () => {
    const { page, logs, button, points, count, follow, sees, visit, reload } = await openChart();
    logs([900, 100, 10, 1, ...Array.from({ length: 60 }, (_, index) => 1 + (index % 2) / 10)]);
    /** How much the second step down differs from the third. */
    const unevenness = async () => {
      const [a, b, c] = (await points()).slice(1).map(([, y]) => y);
      return Math.abs(Math.round(b! - a!) - Math.round(c! - b!));
    };
    await until(count).toBe(64);
    expect(await unevenness()).toBeGreaterThan(2);
    expect(hashOf(page)).toBe(`#/jobs/${JOB.id}`);
    await button('Log scale').click();
    await until(unevenness).toBeLessThan(2);
    expect(hashOf(page)).toBe(`#/jobs/${JOB.id}?log=1`);
    await reload();
    await until(() => button('Log scale').getAttribute('aria-pressed')).toBe('true');
    await visit('#/jobs');
    await follow(JOB.name);
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}?log=1`);
    await button('Log scale').click();
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}`);
    // A link to this same job says how the chart is to be, or leaves it as it is.
    await visit(`#/jobs/${JOB.id}?log=1`);
    await until(() => button('Log scale').getAttribute('aria-pressed')).toBe('true');
    await visit(`#/jobs/${JOB.id}`);
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}?log=1`);
    expect(await button('Log scale').getAttribute('aria-pressed')).toBe('true');
    await visit(`#/jobs/${JOB.id}?x=step`);
    await until(() => button('Log scale').getAttribute('aria-pressed')).toBe('false');
    // A link elsewhere says nothing of the chart.
    await button('Log scale').click();
    await visit('#/jobs?search=x');
    await visit(`#/jobs/${JOB.id}`);
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}?log=1`);
    await button('Log scale').click();
    await until(() => hashOf(page)).toBe(`#/jobs/${JOB.id}`);

    await until(count).toBe(64);
    const before = await points();
    await button('Smooth').click();
    await until(() => pointsOf(page, 'polyline.raw')).toEqual(before);
    expect(await points()).not.toEqual(before);
    await button('Smooth').click();
    const top = async () => Number(await page.locator('.axes g text').last().textContent());
    await until(top).toBe(900);
    await button('Ignore outliers').click();
    await until(top).toBeLessThan(200);
    await sees(/^\d values? out of range$/);
  });

  it('x counts what the events say, and reaches to the end that is planned while the run goes on.', async () => {
    const { page, events, log, chart, ticks, button, keys } = await openChart();
    const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
    events.push('training.started', { totalSteps: 100 });
    log({ step: 1, loss: 3, tokens: 500, timestamp: at(0) });
    log({ step: 2, loss: 2, tokens: 1500, timestamp: at(10) });
    log({ step: 3, loss: 1, tokens: 2000, timestamp: at(60) });
    await chart.waitFor();
    await button('Planned end').click();
    await until(async () => (await ticks()).at(-1)).toBe('100');
    events.push('training.completed', { artifacts: [] });
    await until(async () => (await ticks()).at(-1)).toBe('3');
    expect(await button('Planned end').count()).toBe(0);

    const axis = page.getByLabel('x-axis');
    expect(await axis.locator('option').allTextContents()).toEqual(['step', 'tokens', 'time']);
    await axis.selectOption('time');
    await until(ticks).toEqual(['0', '10 s', '20 s', '30 s', '40 s', '50 s', '1 min']);
    await chart.focus();
    await keys('End', 'ArrowLeft');
    await until(() => page.locator('.tooltip .step').textContent()).toBe('Step 2 · 10.0 s');
    expect(hashOf(page)).toContain('x=time');
  });

  it('Dragging and plus and minus zoom, a double click and 0 show everything again, and none opens the rows of a step.', async () => {
    const { page, logs, drag, count, ticks, chart, button, keys } = await openChart();
    logs(Array.from({ length: 101 }, (_, index) => 1 + index));
    await until(count).toBe(101);
    await drag(0.2, 0.4);
    await until(count).toBeLessThan(30);
    expect(Number((await ticks())[0])).toBeGreaterThan(19);
    expect(hashOf(page)).toMatch(/zoom=2[01]/);
    const { x, y } = (await chart.boundingBox())!;
    await page.mouse.dblclick(x + 300, y + 100);
    await until(count).toBe(101);
    expect(hashOf(page)).toBe(`#/jobs/${JOB.id}`);
    await drag(0.4, 0.2);
    await button('Reset zoom').click();
    await until(count).toBe(101);
    await until(() => isFocused(button('Ignore outliers'))).toBe(true);
    await chart.focus();
    await keys('Home');
    for (const [key, shown] of [
      ['+', 52],
      ['+', 27],
      ['-', 52],
      ['0', 101],
    ] as const) {
      await keys(key);
      await until(count).toBe(shown);
    }
  });

  it('A click on a part of the chart opens the rows of the step under it, wherever the pointer goes then.', async () => {
    const { page, logs, drag, hover, count, reading, isOn } = await openChart();
    logs(Array.from({ length: 101 }, (_, index) => 1 + index));
    await until(count).toBe(101);
    await drag(0.2, 0.4);
    await until(count).toBeLessThan(30);
    await hover(0.5);
    await until(async () => (await reading())[0]).toMatch(/^Step 3\d$/);
    const [shown] = await reading();
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(5, 5);
    await isOn(`Rows of ${shown!.toLowerCase()}`);
  });

  it('Every other number of the events has a chart of its own, when it is wanted.', async () => {
    const { page, log, button, card, keys } = await openChart();
    log({ step: 1, loss: 3, learningRate: 0.1, memoryBytes: 2e8, rewardMargin: 0.5 });
    log({ step: 2, loss: 2, learningRate: 0.2, memoryBytes: 3e8, rewardMargin: 0.7 });
    const names = page.getByRole('group', { name: 'More charts' }).getByRole('button');
    const all = ['Learning rate', 'Memory', 'Reward margin'];
    await until(async () => (await names.allTextContents()).map(name => name.trim())).toEqual(all);
    await until(() => page.locator(TRAINING).count()).toBe(1);
    await button('Memory').click();
    await until(() => page.locator(TRAINING).count()).toBe(2);
    expect(await card('Memory').locator('.title').innerText()).toContain('300 MB');
    expect(await card('Memory').locator('.axes g text').allTextContents()).toContain('200 MB');
    await card('Memory').getByRole('slider').focus();
    await keys('Home');
    await until(() => page.locator('.tooltip').count()).toBe(2);
    expect(await card('Memory').locator('.tooltip').innerText()).toContain('200 MB');
    expect(hashOf(page)).toContain('metrics=memoryBytes');
  });
});
