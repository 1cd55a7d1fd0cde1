// The tests that `is` and filters such as `select` ask for by name.
import { defineAll } from './functions.js';
import { contains, equals, OPERATORS } from './operators.js';
import { toText } from './text.js';
import { isLower, isUpper } from './text-methods.js';
import {
  type Callable,
  Float,
  isCallable,
  isInteger,
  isIterable,
  isNumber,
  lengthOf,
  Undefined,
  type Value,
  View,
} from './values.js';

const isWhole = (value: Value) => isInteger(value) && typeof value !== 'boolean';

/** An operator, and its other names. */
const COMPARISONS = [
  ['==', 'eq', 'equalto'],
  ['!=', 'ne'],
  ['<', 'lt', 'lessthan'],
  ['>', 'gt', 'greaterthan'],
  ['<=', 'le'],
  ['>=', 'ge'],
];

const TESTS = defineAll({
  ...Object.fromEntries(
    COMPARISONS.flatMap(names => names.map(name => [`${name} value other`, OPERATORS[names[0]!]!])),
  ),
  'in value seq': (value: Value, holder: Value) => contains(holder, value),
  'odd value': (value: Value) => equals(remainder(value, 2), 1),
  'even value': (value: Value) => equals(remainder(value, 2), 0),
  'divisibleby value num': (value: Value, divisor: Value) => equals(remainder(value, divisor), 0),
  'defined value': (value: Value) => !(value instanceof Undefined),
  'undefined value': (value: Value) => value instanceof Undefined,
  'none value': (value: Value) => value === null,
  'boolean value': (value: Value) => typeof value === 'boolean',
  'true value': (value: Value) => value === true,
  'false value': (value: Value) => value === false,
  'integer value': isWhole,
  'float value': (value: Value) => value instanceof Float,
  'number value': isNumber,
  'string value': (value: Value) => typeof value === 'string',
  'lower value': (value: Value) => isLower(toText(value)),
  'upper value': (value: Value) => isUpper(toText(value)),
  'mapping value': (value: Value) => value instanceof Map,
  'sequence value': (value: Value) => lengthOf(value) !== undefined && !(value instanceof View),
  'iterable value': isIterable,
  'callable value': isCallable,
  'sameas value other': (value: Value, other: Value) => value === other,
  'escaped value': () => false,
});

function remainder(value: Value, divisor: Value): Value {
  return OPERATORS['%']!(value, divisor);
}

export function findTest(name: string): Callable {
  const test = TESTS.get(name);
  if (!test) throw new Error(`there is no test ${name}, or it is not supported`);
  return test;
}
