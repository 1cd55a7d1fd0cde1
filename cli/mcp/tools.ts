// What an agent can do with svc. Each tool is a command; results are cut to what fits a conversation.
import * as z from 'zod';
import { JOB_TOOLS } from './job-tools.js';
import { clip, flag, jobId, option, quote, type Tool, tool } from './tool.js';

const score = z.object({
  name: z.string(),
  value: z.number(),
  low: z.number().describe('Lower end of the 95 % interval'),
  high: z.number(),
});

const comparedScore = z.object({
  score: z.string(),
  value: z.number(),
  againstValue: z.number(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  p: z.number(),
  verdict: z.string().describe('better, worse or no_difference_found'),
  changed: z.object({ better: z.number(), worse: z.number(), same: z.number() }).describe('Rows'),
});

const changedRow = z.object({
  row: z.number(),
  input: z.string(),
  expected: z.string(),
  answer: z.string().nullable(),
  against: z.string().nullable().optional(),
});

interface EvaluationDocument {
  evaluation: {
    id: string;
    scores: unknown[];
    data: { name: string; rows: number };
    comparison: { scores: unknown[] } | null;
  };
  rows: {
    row: number;
    input: string;
    expected: string;
    answer: string | null;
    against: { answer: string | null } | null;
  }[];
}

interface ShipDocument {
  passed: boolean;
  shipped: string | null;
  evaluation: { gate: { checks: unknown[] } | null; comparison: { scores: unknown[] } | null } | null;
  deployment: { url: string } | null;
}

interface Report {
  config: object;
  report: {
    name: string;
    training: object;
    evaluation: object | null;
    totalSteps: number;
    findings: { kind: string; grade: string; count: number }[];
  };
}

const readEvaluation = ({ evaluation, rows }: EvaluationDocument) => ({
  id: evaluation.id,
  data: evaluation.data.name,
  rows: evaluation.data.rows,
  scores: evaluation.scores,
  ...(evaluation.comparison && { comparison: evaluation.comparison }),
  worst: rows.slice(0, 10).map(row => ({
    row: row.row,
    input: clip(row.input),
    expected: clip(row.expected),
    answer: row.answer && clip(row.answer),
    ...(row.against && { against: row.against.answer && clip(row.against.answer) }),
  })),
});

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'check_data',
    title: 'Check the data',
    description:
      "Shows what training would learn from the project's data set, or from a file, and what is wrong with it: cut rows, empty or repeated answers, rows in both training and evaluation. Do this before every training.",
    readOnly: true,
    input: z.object({ path: z.string().optional().describe("A file; default: the trainer's data") }),
    output: z.object({
      name: z.string(),
      training: z.unknown(),
      evaluation: z.unknown().optional(),
      totalSteps: z.number().nullable().optional(),
      findings: z.array(z.unknown()).describe('Problems; those of grade error stop a training'),
    }),
    command: ({ path }) => ['data', 'check', '--no-ask', ...(path === undefined ? [] : ['--', path])],
    read: ({ report: { name, training, evaluation, totalSteps, findings } }: Report) => ({
      ...{ name, training, evaluation, totalSteps, findings },
    }),
  }),
  ...JOB_TOOLS,
  tool({
    name: 'chat',
    title: 'Ask a model',
    description:
      "Asks the base model, a job's adapter or an endpoint one question, at temperature 0 unless another is given.",
    readOnly: true,
    input: z.object({
      message: z.string().min(1),
      job: jobId.optional(),
      step: z.int().min(1).optional().describe('A checkpoint of the job instead of its final adapter'),
      endpoint: z.string().optional().describe('The slug of an endpoint instead of a job'),
      temperature: z.number().min(0).max(2).default(0),
      maxTokens: z.int().min(1).optional(),
    }),
    output: z.object({ model: z.string(), answer: z.string() }),
    command: ({ message, job: id, step, endpoint, temperature, maxTokens }) => [
      'chat',
      ...option('job', id),
      ...option('step', step),
      ...option('endpoint', endpoint),
      ...option('temperature', temperature),
      ...option('max-tokens', maxTokens),
      ...['--', message],
    ],
    read: ({ model, choices }: { model: string; choices: { message: { content: string | null } }[] }) => ({
      ...{ model, answer: choices[0]?.message.content ?? '' },
    }),
  }),
  tool({
    name: 'evaluate',
    title: 'Score a model on rows',
    description:
      'Asks a model all rows of a file whose answers are known, scores it with intervals, and compares it with another model on the same rows. Models are a job ID, ID:checkpoint:N, latest, an endpoint or base. Use rows that training never sees.',
    input: z.object({
      model: z.string().min(1),
      on: z.string().min(1).describe('A file with rows, or hf:NAME'),
      against: z
        .string()
        .optional()
        .describe('What to compare it with: such a model, or a .jsonl file with answers'),
      limit: z.int().min(1).optional().describe('Only the first rows'),
      score: z.string().optional().describe("The score that decides; default: the task's main one"),
    }),
    output: z.object({
      ...{ id: z.string(), data: z.string(), rows: z.number(), scores: z.array(score) },
      comparison: z.object({ scores: z.array(comparedScore) }).optional(),
      worst: z.array(changedRow),
    }),
    consent: ({ model, on, against, limit, score: name }) => {
      const rows = `${limit === undefined ? 'all' : `the first ${limit}`} rows of ${quote(on)}`;
      const comparison = against === undefined ? '' : `, and compare it with ${quote(against)}`;
      const deciding = name === undefined ? '' : `, by the score ${quote(name)}`;
      const message = `Ask ${quote(model)} ${rows}${comparison}${deciding}? This may take minutes.`;
      return { permission: 'evaluate', message };
    },
    command: ({ model, on, against, limit, score: name }) => [
      'eval',
      ...option('on', on),
      ...option('against', against),
      ...option('limit', limit),
      ...option('score', name),
      ...['--', model],
    ],
    read: readEvaluation,
  }),
  tool({
    name: 'test',
    title: 'Run the tests for weights',
    description:
      "Runs the project's tests of what a model must answer (files named *.weights.test.ts) with its vitest.",
    input: z.object({
      job: z.string().optional().describe('Test this job or `latest`, whatever the tests name'),
    }),
    output: z.object({
      passed: z.boolean(),
      tests: z.array(
        z.object({ name: z.string(), status: z.string(), messages: z.array(z.string()).optional() }),
      ),
    }),
    consent: ({ job: id }) => ({
      permission: 'test',
      message: `Run the project's tests for weights${id === undefined ? '' : ` of the job ${quote(id)}`}? This may take minutes.`,
    }),
    command: ({ job: id }) => ['test', ...option('job', id)],
    read: ({ success, testResults }: VitestReport) => ({
      passed: success,
      tests: testResults.flatMap(({ assertionResults, message }) => [
        ...(assertionResults.length === 0 && message
          ? [{ name: 'collecting the tests', status: 'failed', messages: [clip(message)] }]
          : []),
        ...assertionResults.map(({ fullName, status, failureMessages }) => ({
          ...{ name: fullName, status },
          ...(failureMessages.length > 0 && { messages: failureMessages.map(clip) }),
        })),
      ]),
    }),
  }),
  tool({
    name: 'list_endpoints',
    title: 'List endpoints',
    description: 'Lists the endpoints of the project, what they serve and their URLs.',
    readOnly: true,
    input: z.object({}),
    output: z.object({
      deployments: z.array(
        z.object({
          ...{ slug: z.string(), target: z.unknown(), url: z.string(), enabled: z.boolean() },
          authMode: z.string(),
          canary: z
            .object({ target: z.unknown(), share: z.number(), problem: z.string().nullish() })
            .nullish()
            .describe('A second target that gets this share of the requests'),
        }),
      ),
    }),
    command: () => ['endpoints', 'list'],
    read: (document: object) => document,
  }),
  tool({
    name: 'ship',
    title: 'Ship an adapter if it is not worse',
    description:
      "Serves an adapter at an endpoint if the project's tests pass and it does not lose: against what is served now on held-out rows, and against the base model on general ones. Otherwise nothing changes, and the checks say why. The endpoint may be new.",
    input: z.object({
      slug: z.string().min(1),
      job: jobId.describe('ID of a job, ID:checkpoint:N or latest'),
      on: z
        .string()
        .optional()
        .describe("A file with rows, or hf:NAME; default: the trainer's held-out rows"),
      general: z.boolean().default(true).describe('false leaves the general rows out'),
      canary: z.string().optional().describe('Give it only a share of the requests first, such as 10%'),
      dryRun: z.boolean().optional().describe('Only say whether it may be served'),
    }),
    output: z.object({
      passed: z.boolean().nullable().describe('null if it is served already'),
      shipped: z.string().nullable().describe('all, canary, or null if nothing changed'),
      checks: z.array(z.unknown()),
      scores: z.array(comparedScore),
      url: z.string().optional(),
    }),
    consent({ slug, job: id, on, dryRun, canary, general }) {
      const rows = on === undefined ? '' : `, on the rows of ${quote(on)}`;
      const judged = `${rows}${general ? '' : ', without checking what it has forgotten'}? This may take minutes.`;
      if (dryRun)
        return {
          permission: 'evaluate',
          message: `Compare ${quote(id)} with what ${quote(slug)} serves${judged}`,
        };
      const share = canary === undefined ? '' : ` for ${quote(canary)} of its requests`;
      return {
        permission: 'publish',
        message: `Serve ${quote(id)} at the endpoint ${quote(slug)}${share} if it is not worse than what is there${judged}`,
      };
    },
    command: ({ slug, job: id, on, general, canary, dryRun }) => [
      'ship',
      ...option('job', id),
      ...option('on', on),
      ...flag('no-general', !general),
      ...option('canary', canary),
      ...flag('dry-run', dryRun),
      ...['--', slug],
    ],
    read: ({ passed, shipped, evaluation, deployment }: ShipDocument) => ({
      ...{ passed, shipped },
      checks: evaluation?.gate?.checks ?? [],
      scores: evaluation?.comparison?.scores ?? [],
      ...(deployment && { url: deployment.url }),
    }),
  }),
  tool({
    name: 'publish',
    title: 'Publish an adapter',
    description:
      'Publishes the final adapter of a job, or a checkpoint, at a new endpoint with an OpenAI-compatible URL. Calls need an API key, which the user issues with `svc keys issue`.',
    input: z.object({
      slug: z.string().min(1),
      job: jobId,
      step: z.int().min(1).optional().describe('A checkpoint instead of the final adapter'),
    }),
    output: z.object({ deployment: z.object({ slug: z.string(), url: z.string(), target: z.unknown() }) }),
    consent: ({ slug, job: id, step }) => ({
      permission: 'publish',
      message: `Publish ${step === undefined ? 'the final adapter' : `checkpoint ${step}`} of the job ${quote(id)} at the endpoint ${quote(slug)}, without comparing it with anything?`,
    }),
    command: ({ slug, job: id, step }) => [
      ...['endpoints', 'create'],
      ...option('job', id),
      ...option('step', step),
      ...['--', slug],
    ],
    read: (document: object) => document,
  }),
];

interface VitestReport {
  success: boolean;
  testResults: {
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}
