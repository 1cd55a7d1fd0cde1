// Frequency and presence penalties, as the published chat-completions format defines them: they count the tokens that
// were sampled, not those of the prompt.

export interface Penalties {
  frequency: number;
  presence: number;
}

/** logit - count * frequency - (count > 0) * presence. The same array when nothing is to be taken. */
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
