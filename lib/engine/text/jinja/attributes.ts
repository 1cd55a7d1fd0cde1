// Attributes and items of values. Methods come before the keys of a dict that is asked with a dot, and after them in brackets.
import { define, defineAll } from './functions.js';
import { equals, findKey } from './operators.js';
import { itemAt } from './slices.js';
import { represent } from './text.js';
import { TEXT_METHODS } from './text-methods.js';
import {
  type Callable,
  type Dict,
  Instance,
  isInteger,
  iterate,
  Range,
  sequenceOf,
  Tuple,
  typeOf,
  Undefined,
  type Value,
  View,
} from './values.js';

export const itemsOf = (dict: Dict): Tuple[] => Array.from(dict, pair => new Tuple(pair));

const DICT_METHODS = defineAll({
  'get dict key default': (dict: Dict, key: Value, otherwise: Value = null) => {
    const found = findKey(dict, key);
    return found === undefined ? otherwise : dict.get(found)!;
  },
  'keys dict': (dict: Dict) => new View('keys', [...dict.keys()]),
  'values dict': (dict: Dict) => new View('values', [...dict.values()]),
  'items dict': (dict: Dict) => new View('items', itemsOf(dict)),
  'copy dict': (dict: Dict) => new Map(dict),
});

const SEQUENCE_METHODS = defineAll({
  'count list value': (list: Value, value: Value) => iterate(list).filter(item => equals(item, value)).length,
  'index list value': (list: Value, value: Value) => {
    const at = iterate(list).findIndex(item => equals(item, value));
    if (at < 0) throw new Error(`${represent(value)} is not in the ${typeOf(list)}`);
    return at;
  },
});

const LIST_METHODS = new Map([
  ...SEQUENCE_METHODS,
  ['copy', define('copy', 'list', (list: Value[]) => [...list])],
]);

/** Methods that Jinja's sandbox forbids. */
const CHANGING: Readonly<Record<string, ReadonlySet<string>>> = {
  dict: new Set(['clear', 'pop', 'popitem', 'setdefault', 'update']),
  list: new Set(['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort']),
};

/** Methods of Python that are not written here. */
const UNSUPPORTED: Readonly<Record<string, ReadonlySet<string>>> = {
  dict: new Set(['fromkeys']),
  str: new Set(
    (
      'casefold encode expandtabs format format_map isidentifier isnumeric isprintable istitle maketrans ' +
      'translate'
    ).split(' '),
  ),
};

export function findMethod(holder: Value, name: string): Callable | undefined {
  if (typeof holder === 'string') return TEXT_METHODS.get(name);
  if (holder instanceof Map) return DICT_METHODS.get(name);
  if (Array.isArray(holder)) return LIST_METHODS.get(name);
  return holder instanceof Tuple || holder instanceof Range ? SEQUENCE_METHODS.get(name) : undefined;
}

/** An attribute, but not an item. */
export function findAttribute(holder: Value, name: string): Value | undefined {
  if (holder instanceof Undefined) throw new Error(holder.reason);
  if (holder instanceof Instance) return holder.get(name);
  if (holder instanceof Tuple) {
    const named = holder.items[holder.names.indexOf(name)];
    if (named !== undefined) return named;
  }
  const method = findMethod(holder, name);
  if (method) return (args, keywords) => method([holder, ...args], keywords);
  const type = typeOf(holder);
  if (CHANGING[type]?.has(name))
    return new Undefined(`access to attribute '${name}' of '${type}' object is unsafe.`);
  if (UNSUPPORTED[type]?.has(name)) throw new Error(`the method ${type}.${name} is not supported`);
  return undefined;
}

/** `holder.name` */
export function getAttribute(holder: Value, name: string): Value {
  const attribute = holder instanceof Map && !DICT_NAMES.has(name) ? undefined : findAttribute(holder, name);
  return attribute === undefined ? orNoAttribute(findItem(holder, name), holder, name) : attribute;
}

/** Attributes of all dicts. */
const DICT_NAMES = new Set([...DICT_METHODS.keys(), ...CHANGING.dict!, ...UNSUPPORTED.dict!]);

/** `holder[key]` */
export function getItem(holder: Value, key: Value): Value {
  if (holder instanceof Undefined) throw new Error(holder.reason);
  const found = findItem(holder, key);
  if (found !== undefined) return found;
  if (typeof key !== 'string')
    return new Undefined(
      `${describe(holder)} has no element ${typeof key === 'function' ? 'function' : represent(key)}`,
    );
  return orNoAttribute(findAttribute(holder, key), holder, key);
}

function findItem(holder: Value, key: Value): Value | undefined {
  if (holder instanceof Map) {
    if (typeof key === 'string') return holder.get(key);
    const found = isHashable(key) ? findKey(holder, key) : undefined;
    return found === undefined ? undefined : holder.get(found);
  }
  if (!isInteger(key)) return undefined;
  return typeof holder === 'string' || sequenceOf(holder) ? itemAt(holder, Number(key)) : undefined;
}

const isHashable = (key: Value) => !Array.isArray(key) && !(key instanceof Map);

const orNoAttribute = (found: Value | undefined, holder: Value, name: string): Value =>
  found === undefined ? new Undefined(`'${describe(holder)}' has no attribute '${name}'`) : found;

const describe = (holder: Value) => (holder === null ? 'None' : `${typeOf(holder)} object`);

/** Looks up a path of attributes such as `function.name`, as filters take it. */
export function readPath(path: Value, otherwise: Value = null): (item: Value) => Value {
  const parts = pathParts(path);
  return item => {
    let found = item;
    for (const part of parts) {
      found = getItem(found, part);
      if (found instanceof Undefined && otherwise !== null) found = otherwise;
    }
    return found;
  };
}

function pathParts(path: Value): readonly Value[] {
  if (path === null) return [];
  if (typeof path !== 'string') return [path];
  return path.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part));
}
