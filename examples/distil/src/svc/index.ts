// A student of support-triage: its rows are what that adapter answers, asked through an endpoint. `npx svc start` runs it, or R
// in `npx svc dev`.
import { readFileSync } from 'node:fs';
import { createService, createTrainer, distil, type Infer } from 'svc';

/** Where the teacher answers: the URL of an endpoint of svc, or any other server with OpenAI's API. */
const { TEACHER_URL: baseURL = 'http://127.0.0.1:4100/d/teacher/v1', TEACHER_KEY: apiKey } = process.env;

/** Conversations that neither the teacher nor the student has learned from. */
const heldOut = readFileSync('../support-triage/data/held-out.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line).messages as Message[]);

interface Message {
  role: 'user' | 'assistant';
  content: string;
}

const FIELDS = '["desk","heat","ref","who"]';

/** Whether an answer is of the shop's kind. Others would teach the student to make the same mistakes. */
function isWellFormed(answer: string): boolean {
  try {
    return JSON.stringify(Object.keys(JSON.parse(answer))) === FIELDS;
  } catch {
    return false;
  }
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

const trainer = createTrainer({
  name: 'student',
  dataset: distil({
    teacher: { baseURL, model: 'triage', apiKey },
    // The answers that these rows have are ignored.
    prompts: '../support-triage/data/train.jsonl',
    maxTokens: 100,
    keep: isWellFormed,
  }),
  lora: { r: 8, alpha: 16, dropout: 0.1 },
  epochs: 12,
  batchSize: 16,
  learningRate: 2e-3,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  callbacks: {
    onCompleted: async ({ infer }) => {
      const right = await countRight(heldOut, infer);
      console.log(`${right} of ${heldOut.length} held-out answers are right to the letter.`);
    },
  },
});

export const service = createService({ trainer });
