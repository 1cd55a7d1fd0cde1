// Writes a question from templates of the right side, and records them so that rows can be compared.
import { type Draw, fill, type Values } from '../corpus/index.js';

export type Named = Readonly<Record<string, string>>;

interface QuestionWriter {
  /** All templates used, in order. */
  readonly templates: string[];
  /** A sentence from one of these templates. */
  say(templates: readonly string[], named?: Named): string;
}

export function createQuestionWriter(draw: Draw): QuestionWriter {
  const used: string[] = [];
  return {
    templates: used,
    say(templates, named = {}) {
      const template = draw.wording(templates);
      used.push(template);
      return fill(template, named);
    },
  };
}

/** Short enough to repeat without mistakes, and unlikely to occur in a text by accident. */
export function drawOrder(values: Values): string {
  for (;;) {
    const order = values.orderNumber();
    if (order.length <= 9 && /[A-Z-]|\d{5}/.test(order)) return order;
  }
}
