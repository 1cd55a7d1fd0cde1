// How people ask for a yes or no, and which words they want for it.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  PAIR_NOTES,
  /** Turns a statement into a question. */
  CLAIMS,
  /** About messages and notes; the value may or may not be in them. */
  HAS_VALUE,
  /** Whether there is any value of a kind. */
  HAS_KIND,
  /** About lists. */
  ON_LIST,
  BEFORE,
  ENDS,
  HOW_MANY,
  LIST_TITLES,
} = readTexts(data);

/** Instead of the usual "Yes." and "No.". */
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
