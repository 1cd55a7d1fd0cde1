// Frequency and presence penalties and biases of tokens, as the chat completions API defines them: penalties count
// sampled tokens, not those of the prompt.

interface Penalties {
  frequency: number;
  presence: number;
  /** What is added to the logits of tokens. */
  biases?: readonly (readonly [id: number, bias: number])[];
}

/** logit + bias - count * frequency - (count > 0) * presence. Returns the same array if nothing changes. */
export function penalize(
  logits: Float32Array,
  counts: ReadonlyMap<number, number>,
  { frequency, presence, biases = [] }: Penalties,
): Float32Array {
  const isPenalized = (frequency !== 0 || presence !== 0) && counts.size > 0;
  if (!isPenalized && biases.length === 0) return logits;
  const changed = logits.slice();
  if (isPenalized) for (const [id, count] of counts) changed[id]! -= count * frequency + presence;
  for (const [id, bias] of biases) changed[id]! += bias;
  return changed;
}
