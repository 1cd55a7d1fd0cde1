// Covers personal data with a company's own tags, and leaves the rest as it is. `npx svc start` runs it, or R
// in `npx svc dev`.
import { readFileSync } from 'node:fs';
import { createService, createTrainer } from 'svc';

/** Conversations that training never sees, in other wordings and with other names. */
const heldOut = readFileSync('data/held-out.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line).messages as Message[]);

interface Message {
  role: 'user' | 'assistant';
  content: string;
}

const trainer = createTrainer({
  name: 'redaction',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  lora: { r: 16, alpha: 32, dropout: 0.1 },
  epochs: 18,
  batchSize: 16,
  learningRate: 2e-3,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 50,
  callbacks: {
    onCompleted: async ({ infer }) => {
      const answers = await Promise.all(
        heldOut.map(async messages => {
          const { choices } = await infer({ messages: messages.slice(0, -1), temperature: 0 });
          return choices[0]?.message.content ?? '';
        }),
      );
      const right = heldOut.filter((messages, i) => answers[i] === messages.at(-1)!.content).length;
      console.log(`${heldOut[0]!.at(-2)!.content}\n→ ${answers[0]}`);
      console.log(`${right} of ${heldOut.length} held-out answers are right to the letter.`);
    },
  },
});

export const service = createService({ trainer });
