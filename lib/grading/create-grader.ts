// A grader turns an answer into a reward. Nothing of it is evaluated as code, and its work is bounded by the lengths of texts.
import type { Grader, GraderOf, PartGrader } from '../contract/index.js';
import { AnswerFault, type Fault, GradingError } from './faults.js';
import { type Formula, parseFormula } from './formula.js';
import { type AskJudge, createJudge, type TokenUsage } from './judge.js';
import { measureSimilarity } from './similarity.js';
import { fillTemplate, type Graded, parseTemplate } from './templates.js';

interface Details {
  /** What was wrong, with the answer or with the grader. */
  faults: Fault[];
  /** Each question to a model. */
  asked: { model: string; usage: TokenUsage }[];
}

/**
 * A reward, or why there is none. An answer that lacks what the grader reads, such as valid JSON, has the reward 0 and a fault; an
 * `error` is never the answer's fault, so that the answer should be left out.
 */
export type Grade = Details &
  ({ reward: number /** By name, of a multi grader. */; parts: Record<string, number> } | { error: string });

interface CreatedGrader {
  /** Rejects only if the signal aborts. */
  grade(graded: Graded, signal?: AbortSignal): Promise<Grade>;
}

export interface GraderDeps {
  /** Asks a model for a score or a label. */
  ask: AskJudge;
}

/**
 * `const { grade } = createGrader(config, { ask })`, then `await grade({ item, sample: { text, toolCalls } })` for each answer. The
 * config is what the contract's `grader` schema accepts. Throws a `GradingError` if a template or the formula cannot be read;
 * `findGraderFault` says so without throwing.
 */
export function createGrader(config: Grader, deps: GraderDeps): CreatedGrader {
  return config.type === 'multi' ? createMulti(config, deps) : createPart(config, deps);
}

/** What is wrong with a grader that its schema accepts; null if nothing is. */
export function findGraderFault(config: Grader): Fault | null {
  try {
    createGrader(config, { ask: () => Promise.reject(new Error('Nothing is asked.')) });
    return null;
  } catch (error) {
    if (error instanceof GradingError) return { code: error.code, message: error.message };
    throw error;
  }
}

type Measure = (graded: Graded, asked: Details['asked'], signal?: AbortSignal) => number | Promise<number>;

function createPart(config: PartGrader, { ask }: GraderDeps): CreatedGrader {
  const measure = createMeasure(config, ask);
  return {
    async grade(graded, signal) {
      const asked: Details['asked'] = [];
      try {
        return { reward: await measure(graded, asked, signal), parts: {}, faults: [], asked };
      } catch (error) {
        signal?.throwIfAborted();
        const { message } = error as Error;
        if (error instanceof AnswerFault)
          return { reward: 0, parts: {}, faults: [{ code: 'sample_parse_error', message }], asked };
        if (!(error instanceof GradingError)) throw error;
        return { error: message, faults: [{ code: error.code, message }], asked };
      }
    },
  };
}

function createMeasure(config: PartGrader, ask: AskJudge): Measure {
  switch (config.type) {
    case 'string_check':
    case 'text_similarity':
      return compare(config);
    case 'score_model':
    case 'label_model':
      return askModel(config, ask);
    case 'python':
      throw new GradingError('other_error', 'svc runs no code that a request brings.');
  }
}

function compare(config: GraderOf<'string_check'> | GraderOf<'text_similarity'>): Measure {
  const [input, reference] = [parseTemplate(config.input), parseTemplate(config.reference)];
  return graded => {
    const [one, other] = [fillTemplate(input, graded), fillTemplate(reference, graded)];
    return config.type === 'string_check'
      ? Number(CHECKS[config.operation](one, other))
      : measureSimilarity(config.evaluation_metric, one, other);
  };
}

const CHECKS: Readonly<
  Record<GraderOf<'string_check'>['operation'], (input: string, reference: string) => boolean>
> = {
  eq: (input, reference) => input === reference,
  ne: (input, reference) => input !== reference,
  like: (input, reference) => input.includes(reference),
  ilike: (input, reference) => input.toLowerCase().includes(reference.toLowerCase()),
};

function askModel(config: GraderOf<'score_model'> | GraderOf<'label_model'>, ask: AskJudge): Measure {
  const judge = createJudge(config);
  return async (graded, asked, signal) => {
    const question = judge.toQuestion(graded);
    const { text, model, usage } = await ask(question, signal).catch((error: Error) => {
      throw new GradingError(
        'model_grader_server_error',
        `${question.model} could not be asked: ${error.message}`,
      );
    });
    asked.push({ model, usage });
    return judge.toReward(text);
  };
}

function createMulti(config: GraderOf<'multi'>, deps: GraderDeps): CreatedGrader {
  const names = Object.keys(config.graders);
  const graders = names.map(name => createPart(config.graders[name]!, deps));
  const formula = parseFormula(config.calculate_output, names);
  return {
    async grade(graded, signal) {
      const grades = await Promise.all(graders.map(one => one.grade(graded, signal)));
      const [faults, asked] = [grades.flatMap(one => one.faults), grades.flatMap(one => one.asked)];
      const failed = grades.findIndex(one => 'error' in one);
      if (failed >= 0)
        return { error: `${names[failed]}: ${(grades[failed] as { error: string }).error}`, faults, asked };
      const parts = Object.fromEntries(
        grades.map((one, i) => [names[i]!, (one as { reward: number }).reward]),
      );
      return { ...calculate(formula, parts, faults), asked };
    },
  };
}

function calculate(formula: Formula, parts: Record<string, number>, faults: Fault[]) {
  const reward = formula(parts);
  if (Number.isFinite(reward)) return { reward, parts, faults };
  const message = `The formula gives ${reward} for ${JSON.stringify(parts)}.`;
  return { error: message, faults: [...faults, { code: 'other_error' as const, message }] };
}
