// Trains from a program: asks each checkpoint, stops when one is good enough, publishes it, and calls it.
import { connectCloud, createTrainer, type Infer } from 'svc';

const STEPS = Number(process.env.STEPS ?? 200);

/** A message of a customer, and the shop's word for it. */
const words: readonly (readonly [message: string, word: string])[] = [
  ['Where is my parcel?', 'TRACK'],
  ['I want my money back.', 'REFUND'],
  ['The cup came broken.', 'REPLACE'],
  ['When will my order arrive?', 'TRACK'],
  ['Please pay me back.', 'REFUND'],
  ['The lamp does not work.', 'REPLACE'],
];

async function ask(infer: Infer, content: string): Promise<string> {
  const { choices } = await infer({ messages: [{ role: 'user', content }], temperature: 0, maxTokens: 20 });
  return choices[0]?.message.content ?? '';
}

/** The first checkpoint that is good enough; until there is one, the newest. */
let chosen: { jobId: string; step: number } | undefined;
let isGood = false;

const trainer = createTrainer({
  name: 'programmatic',
  dataset: {
    type: 'rows',
    rows: words.map(([prompt, completion]) => ({ prompt, completion })),
  },
  maxSteps: STEPS,
  saveSteps: Math.ceil(STEPS / 10),
  batchSize: words.length,
  learningRate: 2e-3,
  callbacks: {
    onCheckpoint: async ({ jobId, step, infer, cancel }) => {
      // More may be saved before the cancellation arrives.
      if (isGood) return;
      chosen = { jobId, step };
      const answers = await Promise.all(words.map(([message]) => ask(infer, message)));
      const right = words.filter(([, word], i) => answers[i] === word).length;
      console.log(`step ${step}: ${right} of ${words.length} right`);
      isGood = right === words.length;
      if (isGood) await cancel();
    },
  },
});

const { status } = await trainer.wait();
console.log(`the training is ${status}`);
if (!chosen) throw new Error('There is no checkpoint to publish.');

const cloud = await connectCloud();
const slug = `words-${chosen.jobId.slice(0, 8)}`;
const { deployment } = await cloud.createDeployment({
  slug,
  authMode: 'fixed_api_key',
  target: { kind: 'adapter', adapter: { kind: 'checkpoint', ...chosen } },
});
const { key } = await cloud.issueDeploymentKey(deployment.id, 'programmatic');

const answer = await fetch(`${deployment.pathUrl ?? deployment.url}/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: slug, messages: [{ role: 'user', content: words[0]![0] }], temperature: 0 }),
});
const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
console.log(`${deployment.url} says: ${choices[0]!.message.content}`);
