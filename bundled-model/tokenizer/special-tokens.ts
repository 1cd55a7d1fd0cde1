// The tokens that no text is made of. They have the first ids, which are the same whatever the vocabulary's size.

/** Between documents; also fills up batches. */
export const endOfText = '<|endoftext|>';
export const turnStart = '<|im_start|>';
/** Ends every turn, and with it what is generated. */
export const turnEnd = '<|im_end|>';

/** By their ids. The reserved ones stand for nothing yet: a tuned model may give them a meaning. */
export function listSpecialTokens(reserved: number): string[] {
  const unused = Array.from({ length: reserved }, (_, index) => `<|reserved_${index}|>`);
  return [endOfText, turnStart, turnEnd, ...unused];
}
