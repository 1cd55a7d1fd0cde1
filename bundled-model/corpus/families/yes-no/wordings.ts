// How one asks for a yes or a no, and with which words it is to be said.

/** In place of "Yes." and "No.", which are usual. */
export interface Pair {
  yes: string;
  no: string;
}

export const PAIRS: readonly Pair[] = [
  ...[
    'yes/no',
    'yes/no',
    'yes/no',
    'YES/NO',
    'YES/NO',
    'Yes/No',
    'true/false',
    'true/false',
    'True/False',
  ].map(toPair),
  ...[
    'TRUE/FALSE',
    'y/n',
    'Y/N',
    '1/0',
    'right/wrong',
    'correct/wrong',
    'T/F',
    '+/-',
    'ok/no',
    'Right./Wrong.',
  ].map(toPair),
  ...['True./False.', 'yep/nope', 'Correct./Not correct.', 'it is so/it is not so', 'agreed/not agreed'].map(
    toPair,
  ),
];

function toPair(text: string): Pair {
  const [yes, no] = text.split('/') as [string, string];
  return { yes, no };
}

export const PAIR_NOTES: readonly string[] = [
  'Answer "{yes}" or "{no}"',
  'Answer with "{yes}" or "{no}"',
  'Write "{yes}" or "{no}"',
  'Reply only with {yes} or {no}',
  'Use "{yes}" and "{no}"',
  'Say {yes} or {no}',
  'Your answer is "{yes}" or "{no}"',
  'Possible answers: {yes}, {no}',
  'Write {yes} if it is so, and {no} if it is not.',
  'Only "{yes}" or "{no}", please.',
  '{yes} or {no}?',
  'Choose: {yes} / {no}',
  'Give "{yes}" for yes and "{no}" for no.',
  'It must be exactly "{yes}" or "{no}"',
];

/** How a statement becomes a question. */
export const CLAIMS: readonly string[] = [
  'Is this true? {claim}',
  'Is it true that the text says this: {claim}',
  'Does the text say this? {claim}',
  'Is this right? {claim}',
  'Is the following correct? {claim}',
  'Somebody says: {claim} Is that right?',
  'Check this against the text. Is it right? {claim}',
  'Statement: {claim} Is it correct?',
  '"{claim}" Is that what the text says?',
  'Claim: {claim} Does it agree with the text?',
  'Does this fit the text? {claim}',
  '{claim} Is this right?',
  '{claim} Yes or no?',
  'I think this is so: {claim} Am I right?',
];

/** About messages and notes; the value is theirs or another. */
export const HAS_VALUE: readonly string[] = [
  'Is {value} the {phrase}?',
  'Is the {phrase} {value}?',
  'Does the {noun} give {value} as the {phrase}?',
  'Is it right that the {phrase} is {value}?',
  'Would you say that {value} is the {phrase}?',
  'The {phrase} is {value}, is it not?',
  'Is "{value}" the {phrase} in this {noun}?',
  'Can it be that the {phrase} is {value}?',
  'Do we have {value} as the {phrase} here?',
  'Check the {phrase}. Is it {value}?',
];

/** Whether there is a value of a kind at all. */
export const HAS_KIND: readonly string[] = [
  'Does the {noun} have {thing}?',
  'Is there {thing} in this {noun}?',
  'Does the {noun} name {thing}?',
  'Can you find {thing} in the {noun}?',
  'Does this {noun} give {thing}?',
  'Do you see {thing} here?',
  'Has the writer put {thing} into the {noun}?',
  'Is {thing} to be found in the {noun}?',
  'Look at the {noun}. Is there {thing}?',
  'Does {thing} stand in the {noun}?',
];

/** About lists. */
export const ON_LIST: readonly string[] = [
  'Is {one} on the list?',
  'Does the list have {one}?',
  'Is {one} one of them?',
  'Can you find {one} here?',
  'Do you see {one} on this list?',
  'Is {one} there?',
  'Is {one} among them?',
  'Does {one} stand on the list?',
  'Have they put {one} on the list?',
  'Is there an entry for {one}?',
];

export const BEFORE: readonly string[] = [
  'Does {one} come before {two}?',
  'Is {one} before {two} on the list?',
  'Does {one} stand before {two}?',
  'On this list, is {one} ahead of {two}?',
  'Is {one} listed before {two}?',
  'Do you read {one} first and then {two}?',
  'Does the list name {one} before {two}?',
  'Is {two} after {one}?',
  'Does {two} come after {one}?',
];

export const ENDS: readonly string[] = [
  'Is {one} the {end} on the list?',
  'Is {one} the {end} one?',
  'Does {one} come {end}?',
  'Is {one} {end}?',
  'Does the list have {one} as the {end}?',
  'Is the {end} one {one}?',
  'Do you see {one} as the {end} on the list?',
  'Does {one} stand {end} on the list?',
  'Is the {end} entry {one}?',
];

export const HOW_MANY: readonly string[] = [
  'Are there {count} entries?',
  'Does the list have {count} entries?',
  'Do you count {count} of them?',
  'Is the number of entries {count}?',
  'Are {count} of them on the list?',
  'Does the list name {count} in all?',
  'Are there {count} in all?',
  'Is it a list of {count}?',
  'Do {count} entries stand here?',
];

export const LIST_TITLES: readonly string[] = [
  '{title}: {list}',
  'The list: {list}',
  'List of {title}: {list}',
  'Here is a list. {list}',
  'These are the {title}: {list}',
  'Today we have these {title}: {list}',
  'Our {title}: {list}',
  'All {title} so far: {list}',
  'New {title}: {list}',
  'The {title} are {list}',
  'My {title}: {list}',
];
