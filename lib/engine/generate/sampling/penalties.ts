// Frequency and presence penalties, as the chat completions API defines them: they count sampled tokens, not those of
// the prompt.

interface Penalties {
  frequency: number;
  presence: number;
}

/** logit - count * frequency - (count > 0) * presence. Returns the same array if there is nothing to subtract. */
export function penalize(
  logits: Float32Array,
  counts: ReadonlyMap<number, number>,
  { frequency, presence }: Penalties,
): Float32Array {
  if ((frequency === 0 && presence === 0) || counts.size === 0) return logits;
  const penalized = logits.slice();
  for (const [id, count] of counts) penalized[id]! -= count * frequency + presence;
  return penalized;
}
