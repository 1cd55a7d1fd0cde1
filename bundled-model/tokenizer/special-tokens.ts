// Tokens that do not come from text. They have the first ids, whatever the size of the vocabulary.

/** Separates documents, and pads batches. */
export const endOfText = '<|endoftext|>';
export const turnStart = '<|im_start|>';
/** Ends every turn, and generation with it. */
export const turnEnd = '<|im_end|>';

/** By id. The reserved tokens mean nothing yet; a tuned model may use them. */
export function listSpecialTokens(reserved: number): string[] {
  const unused = Array.from({ length: reserved }, (_, index) => `<|reserved_${index}|>`);
  return [endOfText, turnStart, turnEnd, ...unused];
}
