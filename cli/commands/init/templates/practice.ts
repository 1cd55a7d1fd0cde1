// The templates that come with data of their own: rows to train on, and others, never seen in training, to evaluate on.
import type { PracticeName } from '../../../../lib/base-model/practice/index.js';
import { plural } from '../../../../lib/console/index.js';
import { ENTRY, HELD_OUT_DATA, type ProjectFile, TRAINING_DATA, toJsonLines } from '../template.js';

const TRAINING_ROWS = 500;
const HELD_OUT_ROWS = 100;
const SEED = 1;

export async function practice(name: PracticeName): Promise<ProjectFile[]> {
  const { practiceRows } = await import('../../../../lib/base-model/practice/index.js');
  const train = practiceRows(name, 'train', TRAINING_ROWS, SEED);
  const heldOut = practiceRows(name, 'held-out', HELD_OUT_ROWS, SEED);
  const question = heldOut[0]!.messages[0]!.content;
  return [
    { path: ENTRY, content: entrySource(name, question), note: 'the trainer' },
    { path: TRAINING_DATA, content: toJsonLines(train), note: `${plural(train.length, 'row')} to train on` },
    {
      path: HELD_OUT_DATA,
      content: toJsonLines(heldOut),
      note: `${plural(heldOut.length, 'row')} to evaluate on`,
    },
  ];
}

function entrySource(name: string, question: string): string {
  return `// What this project trains: \`svc start\` runs it.
import { createService, createTrainer } from 'svc';

/** One of the held-out rows, to see how the answer changes. */
const question = ${JSON.stringify(question)};

const trainer = createTrainer({
  name: '${name}',
  dataset: { type: 'file', path: '${TRAINING_DATA}' },
  evalDataset: { type: 'file', path: '${HELD_OUT_DATA}' },
  epochs: 12,
  batchSize: 16,
  learningRate: 2e-3,
  lrScheduler: 'cosine',
  loggingSteps: 5,
  evalSteps: 100,
  callbacks: {
    onCompleted: async ({ infer }) => {
      const { choices } = await infer({ messages: [{ role: 'user', content: question }], temperature: 0 });
      console.log(\`\${question}\\n→ \${choices[0]?.message.content}\`);
    },
  },
});

export const service = createService({ trainer });
`;
}
