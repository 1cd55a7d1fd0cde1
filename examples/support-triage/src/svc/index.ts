// Files what customers write under a shop's own JSON schema. `npx svc start` runs it, or R in
// `npx svc dev`.
import { readFileSync } from 'node:fs';
import { createService, createTrainer, type Infer } from 'svc';

/** Conversations that training never sees, in other wordings and with other names. */
const heldOut = readFileSync('data/held-out.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line).messages as Message[]);

interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** How many of the answers are right to the letter. */
async function countRight(rows: Message[][], infer: Infer): Promise<number> {
  const answers = await Promise.all(
    rows.map(async messages => {
      const { choices } = await infer({ messages: messages.slice(0, -1), temperature: 0 });
      return choices[0]?.message.content;
    }),
  );
  return rows.filter((messages, i) => answers[i] === messages.at(-1)!.content).length;
}

/** Few of them, so that they take little of the time that training needs. */
const glance = heldOut.slice(0, 20);

const trainer = createTrainer({
  name: 'support-triage',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  lora: { r: 16, alpha: 32, dropout: 0.1 },
  epochs: 12,
  batchSize: 16,
  learningRate: 2e-3,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 50,
  evals: {
    right: async ({ infer }) => (await countRight(glance, infer)) / glance.length,
  },
  bestBy: 'right',
  // To read what the model says as it learns.
  samples: heldOut.slice(0, 2).map(messages => ({ messages: messages.slice(0, -1) })),
  callbacks: {
    onCompleted: async ({ infer }) => {
      const [first] = heldOut;
      const { choices } = await infer({ messages: first!.slice(0, -1), temperature: 0 });
      console.log(`${first!.at(-2)!.content}\n→ ${choices[0]?.message.content}`);
      const right = await countRight(heldOut, infer);
      console.log(`${right} of ${heldOut.length} held-out answers are right to the letter.`);
    },
  },
});

export const service = createService({ trainer });
