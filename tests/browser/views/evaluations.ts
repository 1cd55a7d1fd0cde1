import { expect, it } from 'vitest';
import { DEMO_JOBS, DEMO_OFFER, fillDemo } from '../../support/fake-studio/demo.js';
import { SAMPLE_EVALUATION_ID, sampleGate, sampleKeptEvaluation } from '../../support/sample-evaluation.js';
import { openStudio, until } from '../harness.js';

it('A job’s evaluations are on its page; one has the verdict, the matrix of labels and the changed answers, and is deleted after a question', async () => {
  const { page, world, sees, press, follow, dialog } = await openStudio(`#/jobs/${DEMO_JOBS.completed}`, {
    arrange: fillDemo,
  });
  await sees('better than Base model: svc/tiny');
  await follow('Accuracy 85.0 % (70.9 to 92.9 %)').isOn(
    `Final adapter (job ${DEMO_JOBS.completed.slice(0, 8)}) on held-out.jsonl`,
  );
  await sees('Better: Accuracy +25.0 points');
  await sees('2 changed answers, worst first');
  await sees('I am not sure');
  const matrix = page.getByRole('table').filter({ hasText: 'other answers' });
  expect(await matrix.getByRole('row').nth(2).innerText()).toMatch(/delivery\s+2\s+14\s+1\s+0/);
  await press('All rows');
  await sees('3 of 40 rows, worst first');
  const before = world.evaluations.length;
  await press('Delete');
  await sees('Delete this evaluation?');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await until(() => world.evaluations.length).toBe(before - 1);
  // Back on the list that it was in.
  await until(() => new URL(page.url()).hash).toBe(`#/jobs/${DEMO_JOBS.completed}/evaluations`);
});

it('On a phone, rows are closed at first: one line of the answer, and all of it once a row is opened', async () => {
  const { page, sees } = await openStudio(`#/evaluations/${SAMPLE_EVALUATION_ID}`, {
    viewport: { width: 390, height: 800 },
    arrange: world => {
      world.evaluations = [sampleKeptEvaluation()];
    },
  });
  await sees('2 changed answers, worst first');
  const compared = page.getByText('compared', { exact: true }).first();
  expect(await compared.isVisible()).toBe(false);
  await page.getByText('Row 7').click();
  expect(await compared.isVisible()).toBe(true);
});

it('What a gate decided is on the page of the evaluation, with a link to the other answers', async () => {
  const { page, sees } = await openStudio(`#/evaluations/${SAMPLE_EVALUATION_ID}`, {
    arrange: world => {
      world.evaluations = [sampleKeptEvaluation({ gate: sampleGate() })];
    },
  });
  await sees('Refused by the gate of Final adapter');
  await sees('The project has no tests for weights.');
  await sees('Worse: F1 −36.0 points');
  expect(await page.getByRole('link', { name: 'Answers' }).getAttribute('href')).toContain(
    SAMPLE_EVALUATION_ID,
  );
});

it('An endpoint’s evaluations are on its page and on one of their own, and without any there is how to make one', async () => {
  const { world, sees, visit } = await openStudio(`#/endpoints/${DEMO_OFFER}`, { arrange: fillDemo });
  await sees('plain: Base model');
  world.evaluations = [];
  await visit(`#/endpoints/${DEMO_OFFER}/evaluations`).sees('svc eval plain --on rows.jsonl');
  await visit('#/endpoints/0000/evaluations').sees('There is nothing with the ID 0000');
});
