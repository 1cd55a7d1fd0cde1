// What the model said at each checkpoint, beside a job's chart.
import { describe, expect, it } from 'vitest';
import { sampleJob } from '../../support/samples.js';
import { until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

describe('The samples of a job', () => {
  it('The card shows the latest answers, marks what changed, and goes back by its slider.', async () => {
    const { page, events } = await openJob('running', {
      arrange: world => {
        world.jobs = [
          sampleJob({ id: JOB.id, status: 'running', config: { samples: [ask('Where is it?')] } }),
        ];
      },
    });
    const card = page.getByRole('region', { name: 'Samples' });
    expect(await card.count()).toBe(0);
    const answer = (step: number, text: string) =>
      events.push('sample.generated', { step, sample: 0, answer: text, finishReason: 'stop' });
    answer(0, 'It is here.');
    answer(50, 'It is late.');
    await until(async () => (await card.count()) && card.innerText()).toContain('It is late.');
    expect(await card.innerText()).toContain('Where is it?');
    expect(await card.locator('mark').allTextContents()).toEqual(['late']);
    expect(await card.innerText()).toContain('Highlighted');
    const slider = card.getByRole('slider');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Step 50');
    await slider.press('ArrowLeft');
    await until(() => slider.getAttribute('aria-valuetext')).toBe('Base model');
    expect(await card.innerText()).toContain('It is here.');
    expect(await card.innerText()).not.toContain('Highlighted');
    answer(100, 'It is lost.');
    await until(() => card.innerText()).toContain('1 of 3');
    await slider.press('End');
    await until(() => card.innerText()).toContain('It is lost.');
  });
});
