// Scores the functions that an answer calls against those that were expected.
import { type Call, openTools } from '../tool-calls/index.js';
import { type CallsOfRow, type Scorer, share, toScore } from './scorer.js';
import { listF1, wordF1 } from './texts.js';
import { listPairs, type Value, writeCanonically } from './values.js';

const NONE: CallsOfRow = { expected: [], answered: [], tools: [] };

/** The order of calls side by side does not count. Where no call is expected, the answer has to be a text. */
export function callScorer(): Scorer {
  return {
    kind: 'calls',
    labels: null,
    names: [
      share('calls'),
      share('functions'),
      { name: 'arguments', kind: 'mean' },
      share('valid'),
      { name: 'f1', kind: 'mean' },
    ],
    score(text, answer, { expected, answered, tools } = NONE) {
      const areSame = (write: (call: Call) => string) =>
        answer !== null && listF1(expected.map(write), answered.map(write)) === 1;
      const scores: Record<string, number> = {
        calls: toScore(areSame(writeCall)),
        functions: toScore(areSame(({ name }) => name)),
      };
      if (expected.length > 0)
        scores.arguments = listF1(expected.flatMap(listArguments), answered.flatMap(listArguments));
      else scores.f1 = answered.length > 0 ? 0 : wordF1(text, answer ?? '');
      if (answered.length > 0) {
        const known = openTools(tools);
        scores.valid = toScore(answered.every(call => known.has(call.name) && known.fits(call)));
      }
      return scores;
    },
  };
}

const writeCall = ({ name, arguments: given }: Call) => `${name} ${writeCanonically(given as Value)}`;

const listArguments = ({ name, arguments: given }: Call) =>
  listPairs(given as Value).map(pair => `${name}${pair}`);
