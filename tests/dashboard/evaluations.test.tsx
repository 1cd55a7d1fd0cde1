// Evaluations in the terminal: those of a job or an endpoint, and one with its verdict, its matrix and its rows.
import { it } from 'vitest';
import { SAMPLE_EVALUATION_ID, sampleGate, sampleKeptEvaluation } from '../support/sample-evaluation.js';
import { sampleDeployment, sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import { fakeStudio } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const { id: jobId } = sampleJob();
const one = { tab: 'jobs', id: SAMPLE_EVALUATION_ID, evaluation: true } as const;
const open = (
  start: NonNullable<Parameters<typeof openDashboard>[0]>['start'],
  size = WIDE,
  kept = [sampleKeptEvaluation()],
) => openDashboard({ studio: fakeStudio({ jobs: [sampleJob()], evaluations: kept }), size, start });

it('a job’s page leads to its evaluations, and they to one', async () => {
  const { press, shows } = await open({ tab: 'jobs', id: jobId });
  await press('E').shows(
    '1 evaluation',
    'better',
    'Accuracy 85.0 % (70.9 to 92.9 %)',
    'held-out.jsonl, 40 rows',
  );
  await press('enter');
  await shows('Better: Accuracy +25.0 points', '12 better, 2 worse, 26 the same');
  await shows(/Final adapter \(job [\da-f]{8}\) on held-out\.jsonl/);
});

it('the foot of a job’s page names the key that leads there, at 80 columns and with an adapter, too', async () => {
  const done = sampleJob({ status: 'completed', artifactCount: 4 });
  const size = { columns: 80, rows: 24 };
  const { shows } = await openDashboard({
    studio: fakeStudio({ jobs: [done] }),
    size,
    start: { tab: 'jobs', id: done.id },
  });
  await shows('P publish', 'E evaluations');
});

it('a list tells what was only tried from what is served, at 80 columns, too', async () => {
  const kept = [sampleKeptEvaluation({ gate: sampleGate({ passed: true, trial: 'canary' }) })];
  const { shows } = await open(
    { tab: 'jobs', id: jobId, evaluations: true },
    { columns: 80, rows: 24 },
    kept,
  );
  await shows(/passed \(canary\) +Accuracy 85\.0 % +…?[a-z.-]+\.jsonl +job [\da-f]{8}/);
});

it('an endpoint’s page leads to those that were asked as the endpoint', async () => {
  const deployment = sampleDeployment({ slug: 'bot' });
  const studio = fakeStudio({ deployments: [deployment], evaluations: [sampleKeptEvaluation()] });
  const start = { tab: 'endpoints', id: deployment.id } as const;
  const { press, shows } = await openDashboard({ studio, size: WIDE, start });
  await shows('bot');
  await press('E').shows('No evaluations yet', 'svc eval bot --on rows.jsonl');
});

it('a summary has the facts, the scores with intervals and the matrix of labels', async () => {
  const { shows } = await open(one);
  await shows(
    'Final adapter',
    'Base model: svc/tiny',
    '120 ms median',
    /Accuracy +85\.0 % +70\.9 to 92\.9 % +60\.0 %/,
  );
  await shows(/Expected +billing +delivery +other +other answers/, /delivery +2 +14 +1 +0/);
});

it('the rows are a page of their own, the changed ones worst first, with both answers below', async () => {
  const { press, shows, hides } = await open(one);
  await shows('Better');
  await press('tab').shows('2 changed answers, worst first', /7 +100\.0 % → 0\.0 % +delivery +billing/);
  await shows('input: Ticket 7', 'expected: delivery', 'compared: delivery', 'answer: billing');
  await press('j').shows('compared: I am not sure');
  await press('f').shows('3 of 40 rows, worst first');
  await press('tab').shows('Better');
  await hides('worst first');
});

it('an evaluation is deleted after a question', async () => {
  const kept = [sampleKeptEvaluation()];
  const { press, shows, studio } = await open(one, WIDE, kept);
  await shows('Better');
  await press('x').shows('Delete this evaluation?');
  await press('y');
  await until(() => studio.world.evaluations).toEqual([]);
  await shows('No evaluations yet');
});

it('an evaluation that is deleted while another view is shown leaves that alone', async () => {
  const { press, shows, studio } = await open(one, WIDE, [sampleKeptEvaluation()]);
  await shows('Better');
  const release = studio.hold('deleteEvaluation');
  await press('x', 'y', '2').shows('All 1');
  release();
  await until(() => studio.world.evaluations).toEqual([]);
  await press('j').shows('All 1');
});

it('what a gate decided comes first', async () => {
  const { shows } = await open(one, WIDE, [sampleKeptEvaluation({ gate: sampleGate() })]);
  await shows('Refused by the gate', /Tests +left out/, /General rows +failed/, 'Worse: F1 −36.0 points');
});

it('everything is reachable in a small terminal', async () => {
  const { press, shows } = await open(one, { columns: 60, rows: 20 });
  await shows('Better: Accuracy');
  await press('G').shows(/other +1 +0 +8/);
});

it('without a comparison there is no verdict, and all rows are listed', async () => {
  const kept = [sampleKeptEvaluation({ comparison: null, confusion: null })];
  const { press, shows } = await open(one, WIDE, kept);
  await shows('held-out.jsonl');
  await press('tab').shows('3 of 40 rows, worst first');
});

it('one that is gone is said to be', async () => {
  const { shows } = await open(one, WIDE, []);
  await shows(`There is no evaluation ${SAMPLE_EVALUATION_ID}`);
});
