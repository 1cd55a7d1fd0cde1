// Questions that any base model for chat has some answers to, which no fine-tuning is about: arithmetic, copying, and following a
// format. A model that loses here has forgotten what it knew before it was trained.

interface GeneralRow {
  readonly input: string;
  readonly output: string;
}

const ARITHMETIC: readonly (readonly [question: string, answer: number])[] = [
  ['7 + 5', 12],
  ['18 + 24', 42],
  ['56 + 37', 93],
  ['120 + 80', 200],
  ['15 - 9', 6],
  ['63 - 28', 35],
  ['100 - 41', 59],
  ['250 - 75', 175],
  ['6 * 7', 42],
  ['9 * 8', 72],
  ['12 * 11', 132],
  ['25 * 4', 100],
  ['36 / 6', 6],
  ['81 / 9', 9],
  ['144 / 12', 12],
  ['90 / 5', 18],
];

const COPIES: readonly string[] = [
  'The kettle is on the stove.',
  'Seven green bottles stood on the wall.',
  'Please return the ladder by Tuesday.',
  'zebra, apple, mango, kiwi',
  'Order 48-2917 leaves at 09:45.',
  'A wren sings louder than its size suggests.',
  'lima oscar victor echo',
  'The bridge opens at noon, not at one.',
  'https://example.com/maps?id=37',
  'Four chairs, two tables, one lamp.',
  'North of the river the road turns to gravel.',
  'x1 = 4; x2 = 9; x3 = 16',
  'The library keeps its oldest atlas upstairs.',
  'red red blue red blue',
  'Nobody had closed the window all winter.',
  'Batch QX-77, shelf 3, row 12',
];

const FORMATS: readonly (readonly [input: string, output: string])[] = [
  ['Answer with the one word yes.', 'yes'],
  ['Answer with the one word no.', 'no'],
  ['Write the word "river" in capital letters. Answer with that word only.', 'RIVER'],
  ['Write the word "GARDEN" in lowercase letters. Answer with that word only.', 'garden'],
  [
    'List the numbers from 1 to 5, separated by commas and spaces. Answer with the list only.',
    '1, 2, 3, 4, 5',
  ],
  ['List the first four letters of the alphabet, separated by spaces, and nothing else.', 'a b c d'],
  ['Answer with the JSON object whose only field "city" is "Oslo", and nothing else.', '{"city": "Oslo"}'],
  ['Answer with the JSON object whose only field "count" is the number 3, and nothing else.', '{"count": 3}'],
  [
    'Answer with the JSON list of the words "salt" and "pepper", in this order, and nothing else.',
    '["salt", "pepper"]',
  ],
  ['Answer with the JSON value for true, and nothing else.', 'true'],
  ['Which of these is a fruit: hammer, pear, cloud? Answer with one word.', 'pear'],
  ['Which of these is a color: purple, seven, table? Answer with one word.', 'purple'],
  ['Which day comes after Monday? Answer with one word.', 'Tuesday'],
  ['Which month comes after March? Answer with one word.', 'April'],
  ['What is the opposite of "hot"? Answer with one word.', 'cold'],
  ['Write the word "stone" three times, separated by spaces, and nothing else.', 'stone stone stone'],
];

/** What is asked if a project has no general rows of its own. The same for everyone, so that figures can be compared. */
export const GENERAL_SET: readonly GeneralRow[] = [
  ...ARITHMETIC.map(([question, answer]) => ({
    input: `What is ${question}? Answer with the number only.`,
    output: String(answer),
  })),
  ...COPIES.map(text => ({ input: `Repeat this text and nothing else:\n${text}`, output: text })),
  ...FORMATS.map(([input, output]) => ({ input, output })),
];
