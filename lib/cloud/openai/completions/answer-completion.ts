// Answers a request that continues texts.
import { type CompletionRequest, type PromptInput, toPromptList } from '../../../contract/index.js';
import type { ServedModel } from '../../inference/served-model.js';
import type { Question } from '../../seams/backend.js';
import { type AnswerDeps, createAnswer } from '../answer.js';
import { completionFormat } from './format.js';

type AnswerCompletion = (
  asked: CompletionRequest,
  served: ServedModel,
  caller: AbortSignal,
) => Promise<Response>;

/** The published format's own default. */
const MAX_TOKENS = 16;

export function createAnswerCompletion(deps: AnswerDeps): AnswerCompletion {
  const answer = createAnswer(deps);
  return (asked, served, caller) => {
    const prompts = toPromptList(asked.prompt);
    const { n = 1, stream = false } = asked;
    const tasks = prompts.flatMap(prompt =>
      Array.from({ length: n }, (_, i) => toTask(asked, prompt, served, i)),
    );
    const watch = served.watch?.({ prompts: prompts.map(toKept), each: n });
    return answer({ kind: 'complete', tasks, stream, watch }, served, caller, head =>
      completionFormat(asked, head),
    );
  };
}

/** Prompts that came as tokens have no text to keep. */
function toKept(prompt: PromptInput) {
  return typeof prompt === 'string' ? { messages: [{ role: 'user' as const, content: prompt }] } : null;
}

/** Seeds of several answers count up from the given one. */
function toTask(
  asked: CompletionRequest,
  prompt: PromptInput,
  { adapter, caller }: ServedModel,
  index: number,
): Question<'complete'> {
  const { stop, seed } = asked;
  return {
    caller,
    prompt,
    adapter,
    echo: asked.echo ?? false,
    maxTokens: asked.max_tokens ?? MAX_TOKENS,
    temperature: asked.temperature,
    topP: asked.top_p,
    frequencyPenalty: asked.frequency_penalty,
    presencePenalty: asked.presence_penalty,
    logitBias: asked.logit_bias,
    stop: typeof stop === 'string' ? [stop] : stop,
    logprobs: asked.logprobs,
    seed: seed === undefined ? undefined : seed + index,
  };
}
