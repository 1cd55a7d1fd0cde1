// What the model said at each checkpoint, and how it scored, beside a job's chart.
import { expect, it } from 'vitest';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { hold, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

it('A job’s samples mark what changed and go back by a slider; its scores have a chart, also the one that comes after the end.', async () => {
  const samples = [{ messages: [{ role: 'user', content: 'Where is it?' }] }];
  const config = { samples, evals: ['tone'], bestBy: { score: 'tone' } };
  const job = sampleJob({ id: JOB.id, status: 'running', config });
  const { page, events, card, log, logs } = await openJob('running', {
    arrange: world => {
      world.jobs = [job];
    },
  });
  const [said, scores] = [card('Samples'), card('Scores')];
  const slider = said.getByRole('slider');
  const answer = (step: number, text: string) =>
    events.push('sample.generated', { step, sample: 0, answer: text, finishReason: 'stop' });
  expect([await said.count(), await scores.count()]).toEqual([0, 0]);
  answer(0, 'It is here.');
  answer(50, 'It is late.');
  // Its questions come with the job, its answers with the events.
  await until(async () => (await said.count()) && said.innerText()).toMatch(/Where is it\?.*It is late\./s);
  expect(await said.locator('mark').allTextContents()).toEqual(['late']);
  expect(await said.innerText()).toContain('Highlighted');
  expect(await slider.getAttribute('aria-valuetext')).toBe('Step 50');
  await slider.press('ArrowLeft');
  await until(() => slider.getAttribute('aria-valuetext')).toBe('Base model');
  expect(await said.innerText()).toMatch(/It is here\.(?!.*Highlighted)/s);
  answer(100, 'It is lost.');
  await until(() => said.innerText()).toContain('1 of 3');
  await slider.press('End');
  await until(() => said.innerText()).toContain('It is lost.');
  // The crosshair chooses, too, and at the end of the chart follows what comes.
  logs(Array.from({ length: 100 }, () => 1));
  const plot = card('Loss').locator('.plot');
  await until(() => plot.getAttribute('aria-valuemax')).toBe('100');
  await plot.press('Home');
  await until(() => said.innerText()).toContain('It is here.');
  await plot.press('End');
  await until(() => said.innerText()).toContain('It is lost.');
  answer(150, 'It is found.');
  await until(() => said.innerText()).toContain('It is found.');
  // It is a step, whatever the x-axis is.
  log({ step: 110, loss: 1, tokens: 1000 });
  log({ step: 150, loss: 1, tokens: 2000 });
  await page.getByLabel('x-axis').first().selectOption('tokens');
  await until(() => plot.getAttribute('aria-valuemax')).toBe('3000');
  await plot.press('End');
  await until(() => plot.getAttribute('aria-valuenow')).toBe('3000');
  await plot.press('ArrowLeft');
  await until(() => said.innerText()).toContain('It is lost.');
  await page.getByLabel('x-axis').first().selectOption('step');

  events.push('score.recorded', { step: 25, name: 'tone', value: 7.5 });
  events.push('score.recorded', { step: 50, name: 'tone', value: 3.25 });
  await until(async () => (await scores.count()) && scores.locator('.lines path').count()).toBe(2);
  expect(await scores.innerText()).toMatch(/tone\s+3\.25/);
  // Not as eval loss is drawn.
  expect(await scores.locator('circle, [stroke-dasharray]').count()).toBe(0);
  expect(await page.getByText('tone 7.5 at step 25').count()).toBe(1);
  Object.assign(job, { status: 'completed', completedAt: new Date().toISOString() });
  events.push('end', { status: 'completed' });
  Object.assign(job, { scores: [{ step: 100, name: 'tone', value: 9 }] });
  await until(() => scores.locator('.lines path').count()).toBe(3);
  expect(await page.getByText('tone 9 at step 100').count()).toBe(1);
});

it('A run that learns from rewards has the best and the worst answers of its steps side by side, and goes back by a slider.', async () => {
  const config = { method: { type: 'grpo' } };
  const { card, world, log, studio, page } = await openJob('running', {
    arrange: world => {
      world.jobs = [sampleJob({ id: JOB.id, status: 'running', config } as object)];
    },
  });
  const answers = card('Answers');
  await until(async () => (await answers.count()) && answers.innerText()).toMatch(
    /Step 20 \(3 of 3 kept\).*All answers to 1 of them got the same reward.*Row 4 · 4 answers, mean reward 0\.5/s,
  );
  const [best, worst] = [answers.getByLabel('Best').first(), answers.getByLabel('Worst').first()];
  expect(await best.innerText()).toMatch(/Best 1.*right 1, brief 0\.5.*"step":20/s);
  expect(await worst.innerText()).toMatch(/Worst 0\.2.*I think/s);
  const [left, right] = [await best.boundingBox(), await worst.boundingBox()];
  expect(right!.x).toBeGreaterThan(left!.x + left!.width);
  expect(await answers.getByText('no parser').count()).toBe(0);
  await answers.getByRole('button', { name: 'Show all 4 prompts' }).click();
  expect(await answers.getByText('4 without a reward: no parser').count()).toBe(1);
  const slider = answers.getByRole('slider');
  await slider.press('ArrowLeft');
  await until(() => best.innerText()).toContain('"step":10');
  expect(await slider.getAttribute('aria-valuetext')).toBe('Step 10 (2 of 3 kept)');

  // The crosshair comes back to the latest step before the answers of an earlier one have come.
  for (const step of [1, 10, 20]) log({ step, loss: 1, reward: 0.5 });
  const plot = page.locator('.plot').first();
  await until(() => plot.getAttribute('aria-valuemax')).toBe('20');
  await plot.press('End');
  await until(() => best.innerText()).toContain('"step":20');
  const release = hold(world, 'listJobAnswers');
  const asked = studio.callsOf('listJobAnswers').length;
  await plot.press('Home');
  await plot.press('End');
  await until(() => studio.callsOf('listJobAnswers').length).toBeGreaterThan(asked + 1);
  release();
  await until(() => slider.getAttribute('aria-valuetext')).toBe('Step 20 (3 of 3 kept)');
  await slider.press('ArrowLeft');
  await until(() => best.innerText()).toContain('"step":10');

  world.failures.listJobAnswers = refusal(503, 'cloud_unreachable', 'The cloud is away.');
  await slider.press('ArrowLeft');
  await until(() => answers.innerText()).toContain('The cloud is away.');
});
