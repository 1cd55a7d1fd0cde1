// The scores of a job's adapters, charted beside its loss.
import { describe, expect, it } from 'vitest';
import { sampleJob } from '../../support/samples.js';
import { until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

describe('The scores of a job', () => {
  it('Each has a chart; the one of the final adapter appears although it comes after the end.', async () => {
    const job = sampleJob({
      id: JOB.id,
      status: 'running',
      config: { evals: ['tone'], bestBy: { score: 'tone' } },
    });
    const { page, events } = await openJob('running', {
      arrange: world => {
        world.jobs = [job];
      },
    });
    const card = page.getByRole('region', { name: 'Scores' });
    expect(await card.count()).toBe(0);
    events.push('training.started', { totalSteps: 100, model: 'm', dataset: 'd' });
    events.push('score.recorded', { step: 25, name: 'tone', value: 7.5 });
    events.push('score.recorded', { step: 50, name: 'tone', value: 3.25 });
    await until(async () => (await card.count()) && card.locator('.lines path').count()).toBe(2);
    expect(await card.innerText()).toMatch(/tone\s+3\.25/);
    // Not as eval loss is drawn.
    expect(await card.locator('circle, [stroke-dasharray]').count()).toBe(0);
    expect(await page.getByText('tone 7.5 at step 25').count()).toBe(1);
    Object.assign(job, { status: 'completed', completedAt: new Date().toISOString() });
    events.push('end', { status: 'completed' });
    Object.assign(job, { scores: [{ step: 100, name: 'tone', value: 9 }] });
    await until(() => card.locator('.lines path').count()).toBe(3);
    expect(await page.getByText('tone 9 at step 100').count()).toBe(1);
  });
});
