// A run as its job's log has it.
import { LoggedSteps } from '../../lib/contract/index.js';
import { collectRows, type RunRecord } from '../../lib/run-export/index.js';

export const START = Date.UTC(2026, 2, 1, 10);
const jobId = '1a2b3c4d-0000-4000-8000-000000000001';

const event = (type: string, fields: object) => ({
  id: '9',
  event: type,
  data: JSON.stringify({ type, jobId, timestamp: new Date(START + 9000).toISOString(), ...fields }),
});

/** Two steps in columns, a step alone, a score that came late, a sample, and what other tools are not told. */
export const sampleParts = [
  event('training.started', { totalSteps: 3, model: 'svc/tiny' }),
  new LoggedSteps({
    jobId,
    first: 2,
    times: [START + 1000, START + 2000],
    columns: { step: [1, 2], loss: [2, 1.5], learningRate: [0.001, null], memoryBytes: [1e9, null] },
  }),
  event('training.log', { step: 300, loss: 0.25, evalLoss: null }),
  event('score.recorded', { step: 2, name: 'exact match', value: 0.5 }),
  event('sample.generated', { step: 300, sample: 0, answer: 'It is läte.' }),
  event('training.log', { step: 301 }),
  event('training.log', { step: 302, evalRewardMargin: 0.125 }),
];

export function sampleRun(fields: Partial<RunRecord> = {}): RunRecord {
  return {
    id: jobId,
    name: 'triage',
    note: 'why',
    tags: ['new & old'],
    group: null,
    status: 'completed',
    startedAt: START,
    endedAt: START + 10_000,
    settings: [
      { name: 'loraR', value: '8' },
      { name: 'dataset', value: 'a | b' },
    ],
    rows: collectRows(sampleParts),
    ...fields,
  };
}

/** As long as it was at this row. */
export const cutRun = (rows: number): RunRecord =>
  sampleRun({ rows: sampleRun().rows.slice(0, rows), status: 'running', endedAt: null });

/** So many steps with two metrics each. */
export function longRun(steps: number): RunRecord {
  const times = Array.from({ length: steps }, (_, index) => START + index * 1000);
  const step = times.map((_, index) => index + 1);
  const loss = step.map(number => 1 / number);
  const columns = { step, loss, tokensPerSecond: step };
  return sampleRun({ rows: collectRows([new LoggedSteps({ jobId, first: 2, times, columns })]) });
}
