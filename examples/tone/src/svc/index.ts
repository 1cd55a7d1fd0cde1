// Teaches the model a tone from pairs: for each complaint a kind answer, which is preferred, and a cold one. `npx svc start`
// runs it, or R in `npx svc dev`.
import { readFileSync } from 'node:fs';
import { createService, createTrainer } from 'svc';

/** Complaints that training never sees, in other wordings and with other names. */
const heldOut = readFileSync('data/held-out.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line).prompt as string);

const isKind = (answer: string) => /\bsorry\b/i.test(answer) && /\bwe will\b/i.test(answer);

const trainer = createTrainer({
  name: 'tone',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  method: { type: 'dpo', beta: 0.1, sftWeight: 0.5 },
  lora: { r: 16, alpha: 32 },
  epochs: 4,
  batchSize: 16,
  learningRate: 1e-3,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 50,
  callbacks: {
    onLog: ({ step, evalRewardAccuracy: share }) => {
      if (share != null)
        console.log(`step ${step}: prefers the kind answer of ${Math.round(100 * share)}% of pairs`);
    },
    onCompleted: async ({ infer }) => {
      const answers = await Promise.all(
        heldOut.map(async content => {
          const { choices } = await infer({ messages: [{ role: 'user', content }], temperature: 0 });
          return choices[0]?.message.content ?? '';
        }),
      );
      console.log(`${heldOut[0]}\n→ ${answers[0]}`);
      console.log(`${answers.filter(isKind).length} of ${answers.length} held-out answers are kind.`);
    },
  },
});

export const service = createService({ trainer });
