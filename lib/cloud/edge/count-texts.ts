// Counts the texts that pass to an endpoint's caller: how long each took, its tokens, and failures in the middle.
import type { Clock } from '../../clock/index.js';
import type { Target } from '../../contract/index.js';
import type { KeepAnswers } from '../answers/answer.js';
import type { RequestCounts } from '../deployments/request-counts.js';

interface Counting {
  counts: Pick<RequestCounts, 'addText' | 'addLateFailure'>;
  deploymentId: string;
  served: Target;
  /** A failure before the answer has begun is counted with the request. */
  isAnswered: () => boolean;
  /** What else records the pieces. */
  keep: KeepAnswers | undefined;
  clock: Clock;
}

export function countTexts({ counts, deploymentId, served, isAnswered, keep, clock }: Counting): KeepAnswers {
  return async function* count(pieces, request, signal) {
    const since = clock.elapsed();
    try {
      for await (const each of keep ? keep(pieces, request, signal) : pieces) {
        const { piece } = each;
        if ('finishReason' in piece && piece.finishReason) {
          const { promptTokens, completionTokens } = piece.usage;
          counts.addText(deploymentId, served, {
            ms: clock.elapsed() - since,
            promptTokens,
            completionTokens,
          });
        }
        yield each;
      }
    } catch (error) {
      if (isAnswered() && !signal.aborted) counts.addLateFailure(deploymentId, served);
      throw error;
    }
  };
}
