// Validates a request before anything is computed for it.
import { EngineError, type RefusedPart } from '../engine-error.js';
import type { GenerateRequest } from './request.js';

/** Returns how many tokens may be generated. Throws an `EngineError` for an invalid request. */
export function checkRequest(
  { promptIds, maxTokens = Number.POSITIVE_INFINITY, ...settings }: GenerateRequest,
  { context, vocabulary, fewest = 1 }: { context: number; vocabulary: number; fewest?: 0 | 1 },
): number {
  if (promptIds.length === 0) throw invalid('the prompt has no tokens');
  const unknown = promptIds.find(id => !Number.isInteger(id) || id < 0 || id >= vocabulary);
  if (unknown !== undefined)
    throw invalid(`the prompt has the token ${unknown}, but the vocabulary has ${vocabulary} tokens`);
  if (!(maxTokens >= fewest)) throw invalid(`maxTokens is ${maxTokens}`);
  const { temperature = 1, topP = 1, frequencyPenalty = 0, presencePenalty = 0, seed = 0 } = settings;
  if (!(temperature >= 0)) throw invalid(`temperature is ${temperature}`);
  if (!(topP >= 0)) throw invalid(`topP is ${topP}`);
  for (const [name, value] of Object.entries({ frequencyPenalty, presencePenalty, seed }))
    if (!Number.isFinite(value)) throw invalid(`${name} is ${value}`);

  for (const id of Object.keys(settings.logitBias ?? {}))
    if (!(Number(id) < vocabulary))
      throw invalid(
        `logitBias has the token ${id}, but the vocabulary has ${vocabulary} tokens`,
        'logitBias',
      );

  const room = context - promptIds.length;
  if (room >= fewest) return Math.min(maxTokens, room);
  throw promptTooLong(String(promptIds.length), context);
}

export function promptTooLong(tokens: string, context: number): EngineError {
  return new EngineError(
    'context_length_exceeded',
    `The prompt has ${tokens} tokens, but the model's context is ${context}, including the answer. Shorten the messages.`,
  );
}

function invalid(problem: string, part?: RefusedPart): EngineError {
  return new EngineError('invalid_value', `Invalid request: ${problem}.`, part);
}
