// A model of a few hundred tokens for these tests, and sample texts.
import { trainBpe } from '../../tokenizer/index.js';

export const sampleTexts = [
  "The quick brown fox jumps over the lazy dog, and the dog doesn't care. The fox is quick; the dog isn't.",
  'user asks: what is 12 + 30? assistant answers: it is 42.\nuser asks: and 7 + 8?\nassistant answers: 15.',
  '{"name": "Mara Holt", "city": "Basel", "orders": [1207, 1208]}\n{"name": "Ana Lund", "city": "Bern"}',
  'Où est le café ? Le café est là, à côté. Grüße aus Zürich, schöne Grüße! 日本語と日本の日。 🙂🙂 👍🏽',
  'Write to ana@mail.example or bo@mail.example, not to cy@mail.example.',
  '    indented\n\n        twice\n\tby a tab\r\n---- ---- ====\n',
];

export const sampleModel = trainBpe(sampleTexts, { vocabulary: 340 });

export const oddTexts: Record<string, string> = {
  'no text': '',
  accents: 'café, cafe\u0301 \u0301 Ångström ﬁne',
  emoji: '👩‍👩‍👧 👍🏽🇨🇭 ❤️x 🙂',
  scripts: '日本語 한국어 नमस्ते العربية ไทย Ελληνικά',
  digits: '3.14159 -007 x2y ٣٤ ½ ²',
  'line breaks': '\n\n a \r\n\r\nb\rc \n \n  d\u2028e\u0085f\n',
  'runs of spaces': '   a    b     \t\t c\u00a0\u3000d \ufeff e   ',
  quotes: `don't 'tis DON'T we'll 'table' “I’m” "x" `,
  addresses: 'ana@mail.example, www.mail.example/a-b_c?d=e',
  'marks that look like spaces': '!\ufeff? !\u0085? a\u200b b',
  'what is no letter': '{"a":[1,{}]} <b>&amp;</b> \\n $€ --- ...\u0000\u0007',
};
