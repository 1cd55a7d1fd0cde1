// Records answers while their pieces pass to the caller, in whatever format the caller gets.
import type { Clock } from '../../clock/index.js';
import type { KeptAnswer, KeptOutcome } from '../../contract/index.js';
import type { KeepAnswers } from '../answers/answer.js';
import { addPiece, inOrder, nothingSaid, type Said } from '../answers/pieces.js';
import type { KeptRequestStore } from './kept-requests.js';

interface Call {
  deploymentId: string;
  operation: string;
  model: string;
  isCanary?: boolean;
  clock: Clock;
}

/** How the caller's read of the pieces ended. */
type WaitEnd = 'ended' | 'failed' | 'left';

/** Keeps a deployment's answers, one entry per answer, with its request. */
export function keepAnswers(
  kept: Pick<KeptRequestStore, 'keep'>,
  { deploymentId, operation, model, isCanary = false, clock }: Call,
): KeepAnswers {
  return async function* keep(pieces, { prompts, tasks }, signal) {
    const at = new Date(clock.now());
    const since = clock.elapsed();
    const answers = new Map<number, Said>();
    let end: WaitEnd = 'left';
    try {
      for await (const piece of pieces) {
        addPiece(answers, piece);
        yield piece;
      }
      end = 'ended';
    } catch (error) {
      if (!signal.aborted) end = 'failed';
      throw error;
    } finally {
      // A partial answer to a caller who left is worth showing; a refused one is not.
      if (end === 'left' && answers.size === 0) answers.set(0, nothingSaid());
      const durationMs = Math.round(clock.elapsed() - since);
      for (const [index, said] of inOrder(answers)) {
        const prompt = prompts[Math.floor((index * prompts.length) / tasks.length)];
        if (!prompt) continue;
        const what = { ...prompt, answer: toAnswer(said), outcome: toOutcome(said, end) };
        const served = { model, ...(isCanary && { canary: true as const }) };
        const content = { operation, ...served, ...what, usage: toUsage(said), durationMs };
        kept.keep({ deploymentId, at, content });
      }
    }
  };
}

function toAnswer({ text, calls }: Said): KeptAnswer {
  if (calls.length === 0) return { content: text };
  const tool_calls = calls.map((call, i) => ({
    id: `call_${i + 1}`,
    type: 'function' as const,
    function: call,
  }));
  return { content: text.trim() === '' ? null : text, tool_calls };
}

function toOutcome({ last }: Said, end: WaitEnd): KeptOutcome {
  if (last) return last.finishReason === 'length' ? 'cut' : 'complete';
  return end === 'left' ? 'aborted' : 'failed';
}

function toUsage({ last }: Said) {
  if (!last) return null;
  const { promptTokens, completionTokens } = last.usage;
  return { promptTokens, completionTokens };
}
