// Records the answers that pass to an endpoint's caller, in whatever format the caller gets: counts each text, its time, its
// tokens and failures in the middle, and keeps it with its request if the endpoint does.
import type { Clock } from '../../clock/index.js';
import type { KeptAnswer, KeptOutcome, Target } from '../../contract/index.js';
import type { RecordAnswers } from '../answers/answer.js';
import { addPiece, inOrder, nothingSaid, type Said } from '../answers/pieces.js';
import type { RequestCounts } from '../deployments/request-counts.js';
import type { KeptRequestStore } from '../kept-requests/kept-requests.js';

interface Recording {
  counts: Pick<RequestCounts, 'addText' | 'addLateFailure'>;
  kept: Pick<KeptRequestStore, 'keep'>;
  deploymentId: string;
  keepsRequests: boolean;
  served: Target;
  isCanary: boolean;
  operation: string;
  model: string;
  /** A failure before the answer has begun is counted with the request. */
  isAnswered: () => boolean;
  clock: Clock;
}

/** How the caller's read of the pieces ended. */
type WaitEnd = 'ended' | 'failed' | 'left';

export function recordAnswers(recording: Recording): RecordAnswers {
  const { counts, kept, deploymentId, keepsRequests, served, isCanary, clock } = recording;
  return async function* record(pieces, { prompts, tasks }, signal) {
    const at = new Date(clock.now());
    const since = clock.elapsed();
    const answers = new Map<number, Said>();
    let end: WaitEnd = 'left';

    /** One entry per answer. */
    function keep(): void {
      // A partial answer to a caller who left is worth showing; a refused one is not.
      if (end === 'left' && answers.size === 0) answers.set(0, nothingSaid());
      const durationMs = Math.round(clock.elapsed() - since);
      for (const [index, said] of inOrder(answers)) {
        const prompt = prompts[Math.floor((index * prompts.length) / tasks.length)];
        if (!prompt) continue;
        const { operation, model } = recording;
        const call = { operation, model, ...(isCanary && { canary: true as const }) };
        const what = { ...prompt, answer: toAnswer(said), outcome: toOutcome(said, end) };
        kept.keep({ deploymentId, at, content: { ...call, ...what, usage: toUsage(said), durationMs } });
      }
    }

    try {
      for await (const each of pieces) {
        if (keepsRequests) addPiece(answers, each);
        const { piece } = each;
        if ('finishReason' in piece && piece.finishReason) {
          const { promptTokens, completionTokens } = piece.usage;
          const ms = clock.elapsed() - since;
          counts.addText(deploymentId, served, { ms, promptTokens, completionTokens });
        }
        yield each;
      }
      end = 'ended';
    } catch (error) {
      if (!signal.aborted) {
        end = 'failed';
        if (recording.isAnswered()) counts.addLateFailure(deploymentId, served);
      }
      throw error;
    } finally {
      if (keepsRequests) keep();
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
