import { expect, it } from 'vitest';
import { readOutput, writeOutput } from '../../../lib/engine/process/messages.js';

const bytes = new TextEncoder().encode('é');
const never = { id: 2, bytes, logprob: Number.NEGATIVE_INFINITY };
const usage = { promptTokens: 1, completionTokens: 2 };

it.each([
  ['text', { text: 'a\nb', tokenIds: [1, 2] }],
  [
    'log probabilities',
    { text: 'é', tokenIds: [1], logprobs: [{ id: 1, bytes, logprob: -0.25, top: [never] }] },
  ],
  ['an embedding', { values: Float32Array.of(0.1, -2, 3e-8), promptTokens: 3 }],
  ['tokens', [1, 2, 3]],
  ['the end of an answer', { text: '', tokenIds: [], finishReason: 'stop', usage }],
] as const)('%s comes back as it was, on one line', (_, output) => {
  const text = writeOutput(output as never);
  expect(text).not.toContain('\n');
  expect(readOutput(text)).toEqual(output);
});
