// What an agent can learn of training jobs, and that it can cancel one.
import * as z from 'zod';
import {
  type FieldKind,
  JOB_FIELDS,
  type JobAnswers,
  type JobField,
  readMappedName,
  type StepAnswer,
} from '../../lib/contract/index.js';
import { clip, flag, jobId, option, quote, type Tool, tool } from './tool.js';

const text = z.string();

const SHAPES: Readonly<Record<FieldKind, z.ZodType>> = {
  ...{ id: text, text, status: text, time: text },
  ...{ count: z.number(), loss: z.number(), reward: z.number() },
  tags: z.array(text),
  ...{ score: z.unknown(), origin: z.unknown(), group: z.unknown() },
};

/** The same for each job of a project. */
const OF_THE_PROJECT = ['orgId', 'projectId'];

const job = z.object(
  Object.fromEntries(
    Object.entries<JobField>(JOB_FIELDS)
      .filter(([name]) => !OF_THE_PROJECT.includes(name))
      .map(([name, { kind, missing }]) => {
        const shape = SHAPES[kind];
        return [name, missing === undefined ? shape : shape.nullable().optional()];
      }),
  ),
);

const rewardedAnswer = z.object({
  ...{ text: z.string(), reward: z.number(), parts: z.record(z.string(), z.number()) },
});

const MOST_JOBS = 30;
const MOST_ROWS = 100;

const readAnswer = ({ text, calls, reward, parts }: StepAnswer) => ({
  text: clip([text, ...calls.map(call => `${call.name}(${call.arguments})`)].join('\n').trim()),
  ...{ reward, parts },
});

interface Rows {
  rows: {
    row: number;
    first: number;
    last: number;
    text: { file: string; number: number; prompt: string; answer: string } | null;
  }[];
  unrecorded: string | null;
}

export const JOB_TOOLS: readonly Tool[] = [
  tool({
    name: 'list_jobs',
    title: 'List jobs',
    description: `Lists the training jobs of the project, newest first, ${MOST_JOBS} at most.`,
    readOnly: true,
    input: z.object({}),
    output: z.object({
      total: z.number().describe('Jobs of the project, shown or not'),
      jobs: z.array(job),
    }),
    command: () => ['jobs', 'list'],
    read: ({ jobs }: { jobs: unknown[] }) => ({
      total: jobs.length,
      jobs: jobs.slice(0, MOST_JOBS),
    }),
  }),
  tool({
    name: 'show_job',
    title: 'Show a job',
    description: 'Shows a job with its settings.',
    readOnly: true,
    input: z.object({ job: jobId }),
    output: z.object({ job: job.extend({ config: z.unknown() }) }),
    command: ({ job: id }) => ['jobs', 'show', '--', id],
    read: (document: object) => document,
  }),
  tool({
    name: 'worst_rows',
    title: 'Show the rows that a job learns worst',
    description:
      'Shows the rows of the training data with the highest loss, or whose loss rises: often they are wrong, contradict others, or need more examples like them. `file` and `number` say where each is; if `mapped`, the number counts the rows that the trainer made of the file.',
    readOnly: true,
    input: z.object({
      job: jobId,
      count: z.int().min(1).max(MOST_ROWS).default(10),
      rising: z.boolean().optional().describe('Only rows whose loss rises'),
    }),
    output: z.object({
      rows: z.array(
        z.object({
          ...{ file: z.string().nullable(), number: z.number().nullable() },
          mapped: z.boolean(),
          ...{ first: z.number(), last: z.number(), prompt: z.string(), answer: z.string() },
        }),
      ),
      unrecorded: z
        .string()
        .nullable()
        .describe(
          'Why the losses of rows are not recorded. If the job learns from rewards, use read_answers instead',
        ),
    }),
    command: ({ job: id, count, rising }) => [
      ...['jobs', 'rows'],
      ...option('worst', count),
      ...flag('rising', rising),
      ...['--', id],
    ],
    read: ({ rows, unrecorded }: Rows) => ({
      unrecorded,
      rows: rows.map(({ text, first, last }) => ({
        ...{ ...placeOf(text), first, last },
        ...{ prompt: clip(text?.prompt ?? ''), answer: clip(text?.answer ?? '') },
      })),
    }),
  }),
  tool({
    name: 'read_answers',
    title: 'Read the answers that a job learned from',
    description:
      "Of a job that learns from rewards: the best and the worst answer to each prompt of a step, with their rewards and the parts of these. High rewards for answers that are not good show that the reward can be cheated. `steps` says which steps' answers are kept.",
    readOnly: true,
    input: z.object({
      job: jobId,
      step: z.int().min(1).optional().describe('One of `steps`; default: the last of them'),
    }),
    output: z.object({
      steps: z.array(z.number()),
      step: z.number().nullable(),
      total: z.number().describe('Prompts of the step'),
      quiet: z.number().describe('Prompts whose answers all got the same reward, which teach nothing'),
      prompts: z.array(
        z.object({
          ...{ row: z.number(), prompt: z.string(), mean: z.number().nullable() },
          ...{ best: rewardedAnswer.nullable(), worst: rewardedAnswer.nullable() },
          ...{ failed: z.number().describe('Answers without a reward'), error: z.string().nullable() },
        }),
      ),
    }),
    command: ({ job: id, step }) => ['jobs', 'answers', ...option('step', step), '--', id],
    read: ({ groups, ...step }: JobAnswers) => ({
      ...step,
      prompts: groups.map(({ prompt, best, worst, error, ...group }) => ({
        ...group,
        prompt: clip(prompt),
        best: best && readAnswer(best),
        worst: worst && readAnswer(worst),
        error: error && clip(error),
      })),
    }),
  }),
  tool({
    name: 'compare_jobs',
    title: 'Compare jobs',
    description: 'Shows the results of two to six jobs side by side, and the settings in which they differ.',
    readOnly: true,
    input: z.object({ jobs: z.array(jobId).min(2).max(6) }),
    output: z.looseObject({}),
    command: ({ jobs }) => ['jobs', 'compare', '--', ...jobs],
    read: (document: object) => document,
  }),
  tool({
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'Stops a job that waits or trains. Its checkpoints stay.',
    input: z.object({ job: jobId }),
    output: z.object({ job }),
    consent: ({ job: id }) => ({ permission: 'cancel', message: `Cancel the job ${quote(id)}?` }),
    command: ({ job: id }) => ['jobs', 'cancel', '--', id],
    read: (document: object) => document,
  }),
];

/** Where a row is in the user's own file, also if the trainer mapped its rows. */
function placeOf(text: { file: string; number: number } | null) {
  const source = text && readMappedName(text.file);
  return { file: source ?? text?.file ?? null, number: text?.number ?? null, mapped: source !== null };
}
