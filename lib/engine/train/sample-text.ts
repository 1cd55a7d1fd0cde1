// A text of the kinds that models read, to see what goes into a model's matrices, and how far a rounded model is from it.
import type { ModelSource } from '../model/index.js';
import { type ModelText, openText, ROWS_DAY, TextError } from '../text/index.js';

/** Null if the model comes without a tokenizer of its own. */
export async function readSample({ folder, config }: ModelSource): Promise<number[] | null> {
  if (folder === null) return null;
  try {
    const text = await openText(folder);
    const ids = encode(text).filter(id => id < config.vocabulary);
    return ids.slice(0, config.maxPositions);
  } catch (error) {
    if (error instanceof TextError) return null;
    throw error;
  }
}

function encode(text: ModelText): number[] {
  const [question, answer] = CHAT;
  if (text.hasChatTemplate) {
    const messages = [
      { role: 'user', content: question },
      { role: 'assistant', content: `${answer}\n\n${PROSE}` },
    ] as const;
    return text.encode(text.renderChat(messages, { now: ROWS_DAY }));
  }
  return text.encode(`${question}\n${answer}\n\n${PROSE}`, { addSpecialTokens: true });
}

const CHAT = [
  'Which city is the capital of Portugal, and how many people live there? Answer as JSON.',
  '{"city": "Lisbon", "people": 545000, "sources": ["census", "2021"]}',
] as const;

const PROSE = `The harbor was quiet when Maria opened the shop at seven. "You are early," said her brother, who had been up since
four to meet the boats. They sold bread, rope, batteries and, on Fridays, fish soup for $3.50 a bowl. In winter hardly anyone came.

The film takes too long to get going, but its last half hour is wonderful: funny, sad, and beautifully shot. I would see it again.

To reset your password, open Settings, choose Security, and follow the link in the e-mail. If it does not arrive within ten minutes,
check the spam folder or write to support.

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

Plants turn light into sugar. Water rises from the roots, and carbon dioxide enters through the leaves. Der Zug nach Hamburg hat heute
zwanzig Minuten Verspätung. Il pleut depuis ce matin, et les rues sont vides. The meeting on 14 March 2023 was moved to room 204.`;
