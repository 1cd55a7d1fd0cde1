// Twelve rows with their losses, and a manifest, as a cloud would answer them.
import type { Job, RowLoss, RowLosses, RowLossRequest, RunManifest } from '../../lib/contract/index.js';

const answers = ['billing', 'bug', 'account', 'praise'];

const all: RowLoss[] = Array.from({ length: 12 }, (_, row) => {
  const losses = [1, 2, 3].map(epoch => ({
    step: 4 * epoch - (row % 4),
    loss: row % 5 === 4 ? 2 + 0.2 * epoch + row / 100 : (3 - epoch / 2) / (1 + row),
  }));
  const [first, last] = [losses[0]!.loss, losses[2]!.loss];
  const mean = losses.reduce((sum, { loss }) => sum + loss, 0) / 3;
  const text = {
    file: 'tickets.jsonl',
    number: row + 1,
    prompt: `Ticket ${row + 1}: the invoice shows the wrong amount`,
    answer: answers[row % 4]!,
  };
  return { row, labels: 5, visits: 3, first, last, mean, inStep: null, losses, text };
});

const by = {
  last: ({ last }: RowLoss) => last,
  first: ({ first }: RowLoss) => first,
  mean: ({ mean }: RowLoss) => mean,
  rise: ({ first, last }: RowLoss) => last - first,
};

/** Asked by a client or by a query, which is text. */
type Query = { [Name in keyof RowLossRequest]: RowLossRequest[Name] | string };

export function sampleRowLosses({ sort = 'last', rising, step, limit = 50, cursor = '0' }: Query): RowLosses {
  const key = by[sort as keyof typeof by];
  const rows = all
    .map(row => ({ ...row, inStep: row.losses.find(entry => entry.step === Number(step))?.loss ?? null }))
    .filter(row => String(rising) !== 'true' || row.last > row.first)
    .filter(row => step === undefined || row.inStep !== null)
    .sort((a, b) => (step === undefined ? key(b) - key(a) : b.inStep! - a.inStep!));
  const end = Number(cursor) + Number(limit);
  const nextCursor = end < rows.length ? String(end) : null;
  return {
    rows: rows.slice(Number(cursor), end),
    total: rows.length,
    recorded: 12,
    every: 1,
    nextCursor,
    unrecorded: null,
  };
}

/** Of a run that learns from rewards. */
export const sampleUnrecordedRows = (): RowLosses => ({
  ...{ rows: [], total: 0, recorded: 0, every: 1, nextCursor: null },
  unrecorded: 'Runs that learn from rewards have no row losses.',
});

const digest = 'd'.repeat(64);

export function sampleManifest({ id, status, config }: Job): RunManifest {
  const about = {
    jobId: id,
    status,
    model: { name: 'svc/tiny', digest },
    config: config ?? {},
    adapter: null,
  };
  if (config?.imported === true) return { ...about, seed: null, run: null };
  return {
    ...about,
    seed: 42,
    run: {
      data: { training: { digest, rows: 12 }, evaluation: null },
      weights: 'f32',
      options: { loraR: 16 },
      environments: [
        {
          fromStep: 0,
          svc: { version: '0.1.0', digest },
          node: '22.0.0',
          onnxruntime: '1.30.0',
          machine: {
            platform: 'linux',
            arch: 'x64',
            cpu: 'A processor',
            features: ['avx2'],
            cores: 2,
            threads: null,
            provider: 'cpu',
          },
        },
      ],
    },
  };
}
