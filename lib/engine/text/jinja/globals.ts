// The functions that every template can call: those of Jinja, and those that transformers adds.
import { define } from './functions.js';
import { equals, setKey } from './operators.js';
import { toText } from './text.js';
import { formatTime } from './time.js';
import {
  type Callable,
  type Dict,
  Instance,
  iterate,
  type Keywords,
  orUndefined,
  Range,
  requireInteger,
  requireText,
  Tuple,
  type Value,
} from './values.js';

function createDict([given, ...more]: readonly Value[], keywords: Keywords): Dict {
  if (more.length > 0) throw new Error(`dict expected at most 1 argument, got ${more.length + 1}`);
  const dict: Dict = new Map();
  const pairs =
    given instanceof Map ? [...given] : iterate(given === undefined ? [] : given).map(pair => iterate(pair));
  for (const [key, value, ...others] of pairs) {
    if (key === undefined || value === undefined || others.length > 0)
      throw new Error('a dict is made of pairs');
    setKey(dict, key, value);
  }
  for (const [name, value] of keywords) dict.set(name, value);
  return dict;
}

const createNamespace: Callable = (args, keywords) => {
  const attributes = createDict(args, keywords);
  return new Instance('Namespace', {
    get: name => attributes.get(name),
    set: (name, value) => attributes.set(name, value),
  });
};

const createRange: Callable = args => {
  const [first, second, step = 1] = args.map(given => requireInteger(given, 'range()'));
  if (first === undefined || args.length > 3) throw new Error('range() takes one to three integers');
  if (step === 0) throw new Error('range() arg 3 must not be zero');
  return second === undefined ? new Range(0, first, 1) : new Range(first, second, step);
};

const createJoiner = define('joiner', 'sep', (separator: Value = ', ') => {
  let isUsed = false;
  const call: Callable = () => {
    if (isUsed) return separator;
    isUsed = true;
    return '';
  };
  return new Instance('Joiner', { get: () => undefined, call });
});

const createCycler: Callable = items => {
  if (items.length === 0) throw new Error('at least one item has to be provided');
  let at = 0;
  const reset = () => {
    at = 0;
    return null;
  };
  const methods = new Map<string, Callable>([
    ['next', () => items[at++ % items.length]!],
    ['reset', reset],
  ]);
  return new Instance('Cycler', {
    get: name => (name === 'current' ? items[at % items.length] : methods.get(name)),
  });
};

const raise = define('raise_exception', 'message', (message: Value) => {
  throw new Error(toText(message));
});

/** What is between the tags of `generation`. */
const callBody: Callable = (_, keywords) => {
  const caller = keywords.get('caller');
  return typeof caller === 'function' ? caller([], new Map()) : '';
};

export const GENERATION = 'svc_generation';

export const TELL_TIME = 'strftime_now';

export function tellTime(now: () => Date): Callable {
  return define(TELL_TIME, 'format', (format: Value) =>
    formatTime(requireText(format, `${TELL_TIME}()`), now()),
  );
}

export const GLOBALS = new Map<string, Value>([
  ['range', createRange],
  ['dict', createDict],
  ['namespace', createNamespace],
  ['joiner', createJoiner],
  ['cycler', createCycler],
  ['raise_exception', raise],
  [TELL_TIME, tellTime(() => new Date())],
  [GENERATION, callBody],
]);

/** The `loop` of a round. */
export function createLoop(items: readonly Value[]): { loop: Instance; advance: (index: number) => void } {
  let index = 0;
  let last: Value | undefined;
  const { length } = items;
  const cycle: Callable = args => {
    if (args.length === 0) throw new Error('no items for cycling given');
    return args[index % args.length]!;
  };
  const changed: Callable = args => {
    const given = new Tuple(args);
    const isChanged = last === undefined || !equals(last, given);
    last = given;
    return isChanged;
  };
  const attributes: Readonly<Record<string, () => Value>> = {
    index: () => index + 1,
    index0: () => index,
    revindex: () => length - index,
    revindex0: () => length - index - 1,
    first: () => index === 0,
    last: () => index === length - 1,
    length: () => length,
    depth: () => 1,
    depth0: () => 0,
    previtem: () => orUndefined(items[index - 1], 'there is no previous item'),
    nextitem: () => orUndefined(items[index + 1], 'there is no next item'),
    cycle: () => cycle,
    changed: () => changed,
  };
  const get = (name: string) => (Object.hasOwn(attributes, name) ? attributes[name]!() : undefined);
  return {
    loop: new Instance('LoopContext', { get }),
    advance: to => {
      index = to;
    },
  };
}
