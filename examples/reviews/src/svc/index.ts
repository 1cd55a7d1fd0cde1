// Tells whether a review of a film is positive or negative. `node fetch.mjs` fetches the reviews and the base model;
// `npx svc start` runs it, or R in `npx svc dev`.
import { readFileSync } from 'node:fs';
import { type ChatCompletion, connectCloud, createService, createTrainer } from 'svc';

/** Reviews that training never sees. */
const heldOut = readFileSync('data/held-out.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line).messages as Message[]);

interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Each request waits for its turn. */
const AT_ONCE = 16;

type Ask = (asked: { messages: Message[]; temperature: 0; maxTokens: number }) => Promise<ChatCompletion>;

/** How many answers name the right one of the two words first. */
async function countRight(ask: Ask): Promise<number> {
  const isRight = async (messages: Message[]) => {
    const { choices } = await ask({ messages: messages.slice(0, -1), temperature: 0, maxTokens: 20 });
    const [word] = /positive|negative/i.exec(choices[0]?.message.content ?? '') ?? [];
    return word?.toLowerCase() === messages.at(-1)!.content;
  };
  let right = 0;
  for (let at = 0; at < heldOut.length; at += AT_ONCE)
    right += (await Promise.all(heldOut.slice(at, at + AT_ONCE).map(isRight))).filter(Boolean).length;
  return right;
}

const trainer = createTrainer({
  name: 'reviews',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalDataset: { type: 'file', path: 'data/held-out.jsonl' },
  lora: { r: 16, alpha: 32 },
  epochs: 1,
  batchSize: 16,
  learningRate: 5e-4,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 25,
  samples: heldOut.slice(0, 4).map(messages => ({ messages: messages.slice(0, -1), maxTokens: 20 })),
  callbacks: {
    onCompleted: async ({ infer }) => {
      const cloud = await connectCloud();
      const { baseModel } = await cloud.getCloud();
      const before = await countRight(asked => cloud.chat({ ...asked, baseModel, stream: false }));
      const after = await countRight(infer);
      console.log(
        `${before} of ${heldOut.length} held-out reviews were judged right before, ${after} after.`,
      );
    },
  },
});

export const service = createService({ trainer });
