// Scores an answer against what was expected. Which scores there are depends on the task; the first one is the main one.
import { type Call, createFit, openTools } from '../tool-calls/index.js';
import type { ScoredTask } from './infer-task.js';
import {
  type CallsOfRow,
  DISTANCE,
  FIELD,
  isTextSchema,
  rewardScorer,
  type Scorer,
  scoreNames,
  toScore,
} from './scorer.js';
import {
  isRecord,
  listF1,
  listPairs,
  normalizeText,
  readValue,
  type Value,
  wordF1,
  writeCanonically,
} from './texts.js';

export function createScorer(task: ScoredTask): Scorer {
  if (task.kind === 'calls') return callScorer(task);
  if (task.kind === 'reward') return rewardScorer(task);
  if (task.kind === 'labels') return labelScorer(task);
  return task.kind === 'fields' ? fieldScorer(task) : textScorer(task);
}

/** A label as it was answered: `"billing"` in quotes is one, too. */
export function readLabel(answer: string | null): string {
  if (answer === null) return '';
  const value = readValue(answer);
  return normalizeText(typeof value === 'string' ? value : answer);
}

function labelScorer(task: ScoredTask): Scorer {
  const { labels = [] } = task;
  const known = new Set(labels.map(normalizeText));
  return {
    kind: 'labels',
    labels,
    names: scoreNames(task),
    score(expected, answer) {
      const label = readLabel(answer);
      return { accuracy: toScore(label === readLabel(expected)), valid: toScore(known.has(label)) };
    },
  };
}

function textScorer(task: ScoredTask): Scorer {
  const { output } = task;
  const fits = isTextSchema(output) ? null : createFit(output);
  return {
    kind: 'text',
    labels: null,
    names: scoreNames(task, fits !== null),
    score(expected, answer) {
      const valid = fits && { valid: toScore(fits(readValue(answer ?? ''))) };
      return { ...scoreText(expected, answer), ...valid };
    },
  };
}

function scoreText(expected: string, answer: string | null): { f1: number; exact: number } {
  if (answer === null) return { f1: 0, exact: 0 };
  const isExact = isSame(expected, answer);
  return { f1: isExact ? 1 : wordF1(expected, answer), exact: toScore(isExact) };
}

/** Equal texts, or equal values of JSON. */
function isSame(expected: string, answer: string): boolean {
  if (normalizeText(expected) === normalizeText(answer)) return true;
  const value = readValue(expected);
  return typeof value === 'object' && writeCanonically(value) === writeCanonically(readValue(answer));
}

function fieldScorer(task: ScoredTask): Scorer {
  const { fields = [], output } = task;
  const fits = createFit(output);
  const numbers = fields.filter(({ type }) => type === 'number');
  return {
    kind: 'fields',
    labels: null,
    names: scoreNames(task, fits !== null),
    score(expected, answer) {
      const wanted = readValue(expected);
      const given = answer === null ? undefined : readValue(answer);
      const scores: Record<string, number> = {
        // Prose in place of a value is compared as a text.
        ...(wanted === undefined ? scoreText(expected, answer) : scoreValue(wanted, given)),
        ...(fits && { valid: toScore(fits(given)) }),
      };
      for (const { name } of fields) {
        const parts = [fieldOf(wanted, name), fieldOf(given, name)] as const;
        scores[FIELD + name] = scoreField(...parts, isRecord(given));
      }
      for (const { name } of numbers) {
        const [one, other] = [fieldOf(wanted, name), fieldOf(given, name)];
        if (typeof one === 'number' && typeof other === 'number')
          scores[DISTANCE + name] = Math.abs(one - other);
      }
      return scores;
    },
  };
}

function scoreValue(wanted: Value, given: Value | undefined): { f1: number; exact: number } {
  return {
    f1: listF1(listPairs(wanted), listPairs(given)),
    exact: toScore(writeCanonically(wanted) === writeCanonically(given)),
  };
}

function fieldOf(value: Value | undefined, name: string): Value | undefined {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A field that is missing in both is right, if there is an object at all. */
function scoreField(wanted: Value | undefined, given: Value | undefined, isObject: boolean): number {
  if (wanted === undefined || given === undefined) return toScore(isObject && wanted === given);
  if (typeof wanted === 'object' && wanted !== null) return listF1(listPairs(wanted), listPairs(given));
  return toScore(writeCanonically(wanted) === writeCanonically(given));
}

const NONE: CallsOfRow = { expected: [], answered: [], tools: [] };

/** The order of calls side by side does not count. Where no call is expected, the answer has to be a text. */
function callScorer(task: ScoredTask): Scorer {
  return {
    kind: 'calls',
    labels: null,
    names: scoreNames(task),
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
