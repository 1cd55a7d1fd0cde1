// Model graders: what a model is asked about an answer, and how its answer is read.
import type { GraderOf } from '../contract/index.js';
import { GradingError } from './faults.js';
import { fillTemplate, type Graded, parseTemplate, type Template } from './templates.js';

type ModelGrader = GraderOf<'score_model'> | GraderOf<'label_model'>;

interface JudgeMessage {
  role: 'user' | 'assistant' | 'system' | 'developer';
  content: string;
}

/** A question for a model. Its answer has to be JSON of this schema. */
export interface JudgeQuestion {
  model: string;
  messages: JudgeMessage[];
  schema: Record<string, unknown>;
  sampling: NonNullable<ModelGrader['sampling_params']>;
}

export interface JudgeAnswer {
  text: string;
  /** The model that answered. */
  model: string;
  usage: TokenUsage;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens?: number | undefined;
}

/** Throws if there is no answer. */
export type AskJudge = (question: JudgeQuestion, signal?: AbortSignal) => Promise<JudgeAnswer>;

/** What OpenAI's model graders answer with: a few steps of reasoning, which have limits here, then the result. */
const steps = {
  type: 'array',
  maxItems: 3,
  items: {
    type: 'object',
    properties: {
      description: { type: 'string', maxLength: 200 },
      conclusion: { type: 'string', maxLength: 200 },
    },
    required: ['description', 'conclusion'],
    additionalProperties: false,
  },
};

const answerSchema = (result: object) => ({
  type: 'object',
  properties: { steps, result },
  required: ['steps', 'result'],
  additionalProperties: false,
});

export interface Judge {
  toQuestion(graded: Graded): JudgeQuestion;
  /** Throws a `GradingError` for an answer without a grade. */
  toReward(answer: string): number;
}

export function createJudge(grader: ModelGrader): Judge {
  const messages = grader.input.map(({ role, content }) => ({ role, parts: toTemplates(content) }));
  const { model, sampling_params: sampling = {} } = grader;
  const { schema, toReward } = grader.type === 'score_model' ? scoring(grader) : labeling(grader);
  return {
    toQuestion: graded => ({
      model,
      messages: messages.map(({ role, parts }) => ({
        role,
        content: parts.map(part => fillTemplate(part, graded)).join('\n'),
      })),
      schema,
      sampling,
    }),
    toReward: answer => toReward(readResult(answer)),
  };
}

type Content = ModelGrader['input'][number]['content'];

function toTemplates(content: Content): Template[] {
  const parts = Array.isArray(content) ? content : [content];
  return parts.map(part => parseTemplate(typeof part === 'string' ? part : part.text));
}

function scoring({ range: [low, high] = [0, 1] }: GraderOf<'score_model'>) {
  return {
    schema: answerSchema({ type: 'number', minimum: low, maximum: high }),
    toReward(result: unknown) {
      if (typeof result !== 'number' || !Number.isFinite(result))
        throw new GradingError('model_grader_parse_error', 'The model did not answer with a number.');
      return Math.min(high, Math.max(low, result));
    },
  };
}

function labeling({ labels, passing_labels: passing }: GraderOf<'label_model'>) {
  return {
    schema: answerSchema({ type: 'string', enum: [...labels] }),
    toReward(result: unknown) {
      if (!labels.includes(result as string))
        throw new GradingError(
          'model_grader_parse_error',
          'The model did not answer with one of the labels.',
        );
      return passing.includes(result as string) ? 1 : 0;
    },
  };
}

function readResult(answer: string): unknown {
  if (answer.trim() === '') throw new GradingError('model_grader_refusal_error', 'The model gave no answer.');
  try {
    const value = JSON.parse(answer) as { result?: unknown } | null;
    if (typeof value === 'object' && value !== null) return value.result;
  } catch {
    // The same error.
  }
  throw new GradingError(
    'model_grader_parse_error',
    'The model did not answer with the JSON it was asked for.',
  );
}
