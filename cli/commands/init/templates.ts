// The templates of `svc init`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plural } from '../../../lib/console/index.js';
import { findPackage } from '../../../lib/system/index.js';

/** Returns the files of a project with this name. */
export type Template = (name: string) => ProjectFile[] | Promise<ProjectFile[]>;

export const TEMPLATES: Readonly<Record<string, Template>> = {
  blank,
  triage: () => fromExample('support-triage'),
  redaction: () => fromExample('redaction'),
  translate: () => fromExample('translate'),
  task: () =>
    fromExample('triage-task', [
      { path: 'src/svc/task.ts', note: 'the task: its input and output' },
      { path: 'triage.weights.test.ts', note: 'what a model has to answer' },
      { path: '.github/workflows/weights.yml', note: 'trains and ships in GitHub Actions' },
    ]),
};

/** Packages that a template's files import besides svc, for new projects. */
export const TEMPLATE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  task: ['zod', 'vitest'],
};

export const DEFAULT_TEMPLATE = 'blank';

export interface ProjectFile {
  /** Relative to the project's folder, with forward slashes. */
  path: string;
  content: string;
  /** What the file is, shown after it is written. */
  note: string;
}

const ENTRY = 'src/svc/index.ts';
const TRAINING_DATA = 'data/train.jsonl';
const HELD_OUT_DATA = 'data/held-out.jsonl';

/** Sample customer messages and their one-word labels. */
const EXAMPLES: readonly (readonly [asked: string, answered: string])[] = [
  ['The app closes by itself whenever I open the settings.', 'bug'],
  ['Could you add a dark theme? My eyes would thank you.', 'wish'],
  ['How do I change the address of my account?', 'question'],
  ['I love how quickly the search finds everything now.', 'praise'],
  ['Since the last update my photos are upside down.', 'bug'],
  ['It would be great if I could export the list as a file.', 'wish'],
  ['Is there a way to use one account on two phones?', 'question'],
  ['Best support I have ever had, thank you so much!', 'praise'],
  ['The total in the basket is wrong when I use a voucher.', 'bug'],
  ['Please let us sort the messages by sender.', 'wish'],
  ['Where can I find my invoices from last year?', 'question'],
  ['The new start page is a joy to look at.', 'praise'],
  ['When I press save, nothing happens and my text is gone.', 'bug'],
  ['A reminder on the day before the deadline would help me a lot.', 'wish'],
  ['Does the price include delivery to the islands?', 'question'],
  ['Setting it up took two minutes. Wonderful.', 'praise'],
  ['The page stays white on my old tablet.', 'bug'],
  ['I wish I could pause my subscription for the summer.', 'wish'],
  ['What happens to my data when I close my account?', 'question'],
  ['My whole team enjoys working with it every day.', 'praise'],
];

/** A minimal trainer with a few rows, to be replaced with your own. */
function blank(name: string): ProjectFile[] {
  const rows = EXAMPLES.map(([asked, answered]) => ({
    messages: [
      { role: 'user', content: asked },
      { role: 'assistant', content: answered },
    ],
  }));
  return [
    { path: ENTRY, content: entrySource(name), note: 'the trainer' },
    {
      path: TRAINING_DATA,
      content: toJsonLines(rows),
      note: `${plural(rows.length, 'sample row')} to replace with yours`,
    },
  ];
}

function entrySource(name: string): string {
  return `// This project's trainer. Run it with \`npx svc start\`.
import { createService, createTrainer } from 'svc';

const trainer = createTrainer({
  name: '${name}',
  dataset: { type: 'file', path: '${TRAINING_DATA}' },
  epochs: 12,
  batchSize: 4,
  learningRate: 2e-3,
  callbacks: {
    onCompleted: async ({ infer }) => {
      const question = 'The app crashes when I log in.';
      const { choices } = await infer({ messages: [{ role: 'user', content: question }] });
      console.log(\`"\${question}" → \${choices[0]?.message.content}\`);
    },
  },
});

export const service = createService({ trainer });
`;
}

function toJsonLines(rows: readonly { messages: readonly object[] }[]): string {
  return rows.map(({ messages }) => `${JSON.stringify({ messages })}\n`).join('');
}

/** Templates with their own data are copies of this package's examples. */
async function fromExample(
  name: string,
  others: readonly Omit<ProjectFile, 'content'>[] = [],
): Promise<ProjectFile[]> {
  const read = (path: string) => readFile(join(findPackage(), 'examples', name, path), 'utf8');
  const [entry, train, heldOut] = await Promise.all([ENTRY, TRAINING_DATA, HELD_OUT_DATA].map(read));
  const more = await Promise.all(others.map(async file => ({ ...file, content: await read(file.path) })));
  return [
    { path: ENTRY, content: entry!, note: 'the trainer' },
    ...more,
    { path: TRAINING_DATA, content: train!, note: `${plural(countLines(train!), 'row')} to train on` },
    { path: HELD_OUT_DATA, content: heldOut!, note: `${plural(countLines(heldOut!), 'row')} to evaluate on` },
  ];
}

const countLines = (text: string) => text.trimEnd().split('\n').length;
