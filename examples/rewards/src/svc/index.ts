// Counts the items of a list, as JSON: learned from rewards alone, without a single answer to learn from. `npx svc start` runs it,
// or R in `npx svc dev`.
import { readFileSync } from 'node:fs';
import { createService, createTrainer, type Infer } from 'svc';
import { judge, readCount } from './judge.js';

const heldOut = readFileSync('data/held-out.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { messages: { role: 'user'; content: string }[]; count: number });

async function countRight(infer: Infer): Promise<number> {
  const counts = await Promise.all(
    heldOut.map(async ({ messages }) => {
      const { choices } = await infer({ messages, temperature: 0, maxTokens: 16 });
      return readCount(choices[0]?.message.content ?? '');
    }),
  );
  return heldOut.filter(({ count }, i) => counts[i] === count).length;
}

const trainer = createTrainer({
  name: 'counting',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  method: { type: 'grpo', group: 8, maxTokens: 16, reward: judge },
  lora: { r: 16, alpha: 32 },
  epochs: 4,
  batchSize: 8,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 25,
  callbacks: {
    onCompleted: async ({ infer }) => {
      console.log(`${await countRight(infer)} of ${heldOut.length} held-out answers are right.`);
    },
  },
});

export const service = createService({ trainer });
