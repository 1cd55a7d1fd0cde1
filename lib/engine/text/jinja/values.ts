// Values of Python, as templates compute with them. An integer is a number, or a bigint where a number would round it.
import { isObject, type Json } from '../text-files.js';

export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Float
  | Undefined
  | Value[]
  | Tuple
  | Dict
  | Generator
  | View
  | Range
  | Instance
  | Callable;

export type Dict = Map<Value, Value>;

/** Arguments by name. */
export type Keywords = ReadonlyMap<string, Value>;

export type Callable = (args: readonly Value[], keywords: Keywords) => Value;

export const NO_KEYWORDS: Keywords = new Map();

export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** What does not exist. It can be written, tested and looped over; whatever else is done with it says what is missing. */
export class Undefined {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export class Tuple {
  readonly items: readonly Value[];
  /** Names of the items, if they have some. */
  readonly names: readonly string[];

  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

/** What can be gone through once: `map` and other filters return it. */
export class Generator {
  readonly #items: readonly Value[];
  #at = 0;

  constructor(items: readonly Value[]) {
    this.#items = items;
  }

  take(count = Infinity): readonly Value[] {
    const taken = this.#items.slice(this.#at, this.#at + count);
    this.#at += taken.length;
    return taken;
  }
}

/** What `keys`, `values` and `items` of a dict return. */
export class View {
  readonly of: 'keys' | 'values' | 'items';
  readonly items: readonly Value[];

  constructor(of: 'keys' | 'values' | 'items', items: readonly Value[]) {
    this.of = of;
    this.items = items;
  }
}

/** That an expression makes: Jinja has this limit for a range, and memory has one for the others. */
const MOST_ITEMS = 100_000;

export function requireFew(count: number): void {
  if (count > MOST_ITEMS) throw new Error(`a list of ${count} items is too long for a template`);
}

export class Range {
  readonly bounds: readonly [start: number, stop: number, step: number];
  readonly items: readonly Value[];

  constructor(start: number, stop: number, step: number) {
    this.bounds = [start, stop, step];
    const length = Math.max(0, Math.ceil((stop - start) / step));
    if (length > MOST_ITEMS) throw new Error(`a range of ${length} numbers is longer than Jinja allows`);
    this.items = Array.from({ length }, (_, index) => start + index * step);
  }
}

/** An object with attributes: a namespace, the `loop` of a loop, a `joiner` or a `cycler`. */
export class Instance {
  readonly kind: 'Namespace' | 'LoopContext' | 'Joiner' | 'Cycler';
  readonly get: (name: string) => Value | undefined;
  readonly set: ((name: string, value: Value) => void) | undefined;
  readonly call: Callable | undefined;

  constructor(
    kind: Instance['kind'],
    { get, set, call }: { get: Instance['get']; set?: Instance['set']; call?: Callable },
  ) {
    this.kind = kind;
    this.get = get;
    this.set = set;
    this.call = call;
  }
}

/** The value of what is like JSON: numbers without a fraction are integers. */
function toValue(given: unknown): Value {
  switch (typeof given) {
    case 'string':
    case 'boolean':
      return given;
    case 'number':
      return Number.isInteger(given) ? toInteger(given) : new Float(given);
    case 'bigint':
      return toInteger(given);
    case 'undefined':
      return null;
  }
  if (given === null || given instanceof Float || given instanceof Map) return given;
  if (Array.isArray(given)) return given.map(toValue);
  if (!isObject(given)) throw new Error('a function cannot be given to a template');
  return toDict(given);
}

/** Fields that are undefined are left out, as in JSON. */
export function toDict(given: Json): Map<string, Value> {
  const dict = new Map<string, Value>();
  for (const name of Object.keys(given)) if (given[name] !== undefined) dict.set(name, toValue(given[name]));
  return dict;
}

export function toInteger(given: number | bigint): number | bigint {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? given + 0 : BigInt(given);
  return given <= Number.MAX_SAFE_INTEGER && given >= Number.MIN_SAFE_INTEGER ? Number(given) : given;
}

/** Booleans are integers, too. */
export const isInteger = (value: Value | undefined): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';

export const isNumber = (value: Value): value is number | bigint | boolean | Float =>
  isInteger(value) || value instanceof Float;

export const isCallable = (value: Value): boolean =>
  typeof value === 'function' ||
  value instanceof Undefined ||
  (value instanceof Instance && Boolean(value.call));

/** The name of its type in Python. */
export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'int';
    case 'function':
      return 'function';
  }
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'dict';
  if (value instanceof View) return `dict_${value.of}`;
  if (value instanceof Instance) return value.kind;
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Float) return 'float';
  if (value instanceof Tuple) return 'tuple';
  return value instanceof Range ? 'range' : 'generator';
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value instanceof Undefined) return false;
  if (value instanceof Float) return value.value !== 0;
  return lengthOf(value) !== 0 && value !== 0 && value !== 0n;
}

/** The number of its items; undefined if it has none. */
export function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return hasPairs(value) ? [...value].length : value.length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Tuple || value instanceof View || value instanceof Range) return value.items.length;
  return value instanceof Undefined ? 0 : undefined;
}

/** Whether characters of it take two places of a JavaScript text. */
export const hasPairs = (text: string): boolean => /[\ud800-\udbff]/.test(text);

/** The items of a list, tuple, range or view, which have positions. */
export function sequenceOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Tuple || value instanceof Range ? value.items : undefined;
}

export const isIterable = (value: Value): boolean =>
  lengthOf(value) !== undefined || value instanceof Generator;

/** The items that a loop goes through. */
export function iterate(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  if (value instanceof Map) return [...value.keys()];
  if (value instanceof Generator) return value.take();
  if (value instanceof Tuple || value instanceof View || value instanceof Range) return value.items;
  if (value instanceof Undefined) return [];
  throw new Error(`'${typeOf(value)}' object is not iterable`);
}

/** The value, or why it is undefined. */
export const orUndefined = (value: Value | undefined, reason: string): Value =>
  value === undefined ? new Undefined(reason) : value;

export function requireDefined(value: Value): void {
  if (value instanceof Undefined) throw new Error(value.reason);
}

/** The text, or an error about what needs one. */
export function requireText(value: Value | undefined, name: string): string {
  if (typeof value === 'string') return value;
  if (value instanceof Undefined) throw new Error(value.reason);
  throw new Error(`${name} needs text, not ${typeOf(value ?? null)}`);
}

export function requireInteger(value: Value | undefined, name: string): number {
  if (isInteger(value)) return Number(value);
  if (value instanceof Undefined) throw new Error(value.reason);
  throw new Error(`${name} needs an integer, not ${typeOf(value ?? null)}`);
}
