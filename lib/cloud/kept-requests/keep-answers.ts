// Watches the answers of a deployment that keeps its requests: one entry for each answer, with what it answers.
import type { Clock } from '../../clock/index.js';
import type { ChatCompletionRequest } from '../../contract/index.js';
import type { KeptRequestStore } from './kept-requests.js';
import { type AnswerWatch, type AskedPrompts, type Prompt, watchAnswers } from './watch-answers.js';

interface Call {
  deploymentId: string;
  operation: string;
  model: string;
  clock: Clock;
}

/** For a served model: it is called with what is asked, and watches how that is answered. */
export function keepAnswers(
  kept: Pick<KeptRequestStore, 'keep'>,
  { deploymentId, operation, model, clock }: Call,
): (asked: AskedPrompts) => AnswerWatch {
  return ({ prompts, each }) => {
    const at = new Date(clock.now());
    const since = clock.elapsed();
    return watchAnswers(answers => {
      const durationMs = Math.round(clock.elapsed() - since);
      for (const [index, watched] of [...answers].toSorted(([a], [b]) => a - b)) {
        const prompt = prompts[Math.floor(index / each)];
        if (!prompt) continue;
        const usage = watched.usage && {
          promptTokens: watched.usage.promptTokens,
          completionTokens: watched.usage.completionTokens,
        };
        const { answer, outcome } = watched;
        kept.keep({
          deploymentId,
          at,
          content: { operation, model, ...prompt, answer, outcome, usage, durationMs },
        });
      }
    });
  };
}

/** Tools that must not be called are none. */
export function chatPrompt({ messages, tools = [], tool_choice: choice }: ChatCompletionRequest): Prompt {
  return tools.length === 0 || choice === 'none' ? { messages } : { messages, tools };
}
