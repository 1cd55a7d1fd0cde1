// Tries graders: one answer is graded, or a grader is checked.
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  type Grader,
  type GraderRun,
  NO_GRADER_ERRORS,
  parseGraderRun,
  parseGraderValidation,
} from '../../contract/index.js';
import { createGrader, findGraderFault, type Grade, type TokenUsage } from '../../grading/index.js';
import { readJson } from '../../http/index.js';
import type { AnswerDeps } from '../answers/answer.js';
import { createAskJudge } from '../answers/ask-judge.js';
import type { Operations } from './call.js';

interface GraderContext extends Omit<AnswerDeps, 'times'> {
  clock: Clock;
}

export function graderOperations(context: GraderContext): Operations<'runGrader' | 'validateGrader'> {
  return {
    async runGrader({ request, models }) {
      const { grader, item, model_sample: text } = parseGraderRun(await readJson(request));
      await requireUsable(grader, models);
      const { grade } = createGrader(grader, { ask: createAskJudge(context, model => models.serve(model)) });
      const startedAt = context.clock.elapsed();
      const given = await grade({ item: item ?? {}, sample: { text } }, request.signal);
      return toRun(grader, given, (context.clock.elapsed() - startedAt) / 1000);
    },
    async validateGrader({ request, models }) {
      const { grader } = parseGraderValidation(await readJson(request));
      await requireUsable(grader, models);
      return { grader };
    },
  };
}

/** Throws for a template or a formula that cannot be read, and for a model that does not exist. */
export async function requireUsable(
  grader: Grader,
  models: { get(id: string): Promise<unknown> },
  param = 'grader',
): Promise<void> {
  const fault = findGraderFault(grader);
  if (fault) throw new ApiError('invalid_value', `\`${param}\`: ${fault.message}`, { param });
  const parts = grader.type === 'multi' ? Object.values(grader.graders) : [grader];
  for (const part of parts) if ('model' in part) await models.get(part.model as string);
}

function toRun(grader: Grader, grade: Grade, seconds: number): GraderRun {
  const { faults, asked } = grade;
  const parts = 'error' in grade ? {} : grade.parts;
  const judged = faults.find(({ code }) => code === 'model_grader_server_error');
  return {
    reward: 'error' in grade ? 0 : grade.reward,
    metadata: {
      name: 'name' in grader ? (grader.name as string) : grader.type,
      type: grader.type,
      errors: {
        ...NO_GRADER_ERRORS,
        ...Object.fromEntries(faults.map(({ code }) => [code, true])),
        model_grader_server_error_details: judged?.message ?? null,
        python_grader_runtime_error_details: null,
        python_grader_server_error_type: null,
        messages: faults.map(({ message }) => message),
      },
      execution_time: seconds,
      scores: parts,
      token_usage: asked.length === 0 ? null : sum(asked, ({ usage }) => totalOf(usage)),
      sampled_model_name: asked.at(-1)?.model ?? null,
    },
    sub_rewards: parts,
    model_grader_token_usage_per_model: countByModel(asked),
  };
}

function countByModel(asked: Grade['asked']): GraderRun['model_grader_token_usage_per_model'] {
  const models = [...new Set(asked.map(({ model }) => model))];
  const usages = models.map(name => {
    const own = asked.filter(({ model }) => model === name);
    return [
      name,
      {
        prompt_tokens: sum(own, ({ usage }) => usage.promptTokens),
        completion_tokens: sum(own, ({ usage }) => usage.completionTokens),
        total_tokens: sum(own, ({ usage }) => totalOf(usage)),
        cached_tokens: sum(own, ({ usage }) => usage.cachedTokens ?? 0),
      },
    ];
  });
  return Object.fromEntries(usages);
}

const totalOf = ({ promptTokens, completionTokens }: TokenUsage) => promptTokens + completionTokens;

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
