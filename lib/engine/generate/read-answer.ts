// Reads the text of an answer that was sampled elsewhere, as a sequence of tokens without a structure.
import type { Thought } from '../text/index.js';
import { createPieceBuilder } from './piece-builder.js';
import type { TextDecoding } from './request.js';
import { createThoughtReader } from './thought-reader.js';

/** Without what is thought before it, and without the token that ended it. */
export function readAnswer(
  decoding: TextDecoding,
  ids: readonly number[],
  thought: Thought | undefined,
): string {
  const builder = createPieceBuilder(decoding, {});
  const thoughts = thought && createThoughtReader(decoding, thought);
  let text = '';
  const say = (id: number, part?: string) => {
    text += builder.push({ id }, part).piece?.text ?? '';
  };
  for (const id of ids) {
    if (decoding.endIds.includes(id)) break;
    const step = thoughts && thoughts.state !== 'over' ? thoughts.push({ id }) : null;
    for (const held of step?.held ?? []) say(held.id);
    if (!step?.isThought) say(id);
    else if (step.rest !== undefined) {
      builder.skipSpace();
      say(id, step.rest);
    }
  }
  const { held = [] } = thoughts && thoughts.state !== 'over' ? thoughts.finish() : {};
  for (const token of held) say(token.id);
  return text + (builder.finish().piece?.text ?? '');
}
