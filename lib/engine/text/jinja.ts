// Jinja templates, rendered as Python renders them. Where the package writes something else, the parsed template is changed
// to call a function from here.
import { Template } from '@huggingface/jinja';

export interface JinjaTemplate {
  render(variables: Readonly<Record<string, unknown>>): string;
}

export function parseJinja(source: string): JinjaTemplate {
  const template = new Template(source);
  callPython(template.parsed);
  return { render: variables => template.render({ ...variables, ...PYTHON }) };
}

/** A node of a parsed template. The package does not export their types. */
interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Nodes are changed in place, because the package asks for their classes. */
function callPython(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) callPython(item);
  if (value instanceof Map) callPython([...value]);
  if (!isNode(value)) return;
  callPython(Object.values(value));
  const { type, callee, filter, operand } = value;
  if (type === 'CallExpression' && isNode(callee) && callee.type === 'MemberExpression') {
    const { object, property, computed } = callee;
    const args = value.args as unknown[];
    // Without an argument, the package does the same as Python.
    if (!computed && isNode(property) && isStrip(property.value) && args.length > 0)
      Object.assign(value, call(`svc_${property.value}`, [object, ...args]));
  }
  if (type === 'FilterExpression' && isNode(filter) && filter.value === 'string')
    Object.assign(value, call('svc_string', [inList(operand)]));
}

const call = (name: string, args: readonly unknown[]) => ({
  type: 'CallExpression',
  callee: { type: 'Identifier', value: name },
  args,
});

/** Functions get bare values, but what is in a list keeps its type. */
const inList = (item: unknown) => ({ type: 'ArrayLiteral', value: [item] });

const STRIPS = { strip: [true, true], lstrip: [true, false], rstrip: [false, true] } as const;

const isStrip = (name: unknown): name is keyof typeof STRIPS =>
  typeof name === 'string' && Object.hasOwn(STRIPS, name);

/** Removes these characters from the ends of a text, or white space. */
function stripWith([atStart, atEnd]: readonly [boolean, boolean]) {
  return (text: unknown, given: unknown): string => {
    if (typeof text !== 'string') throw new Error('only text can be stripped');
    const isStripped = (character: string) =>
      typeof given === 'string' ? given.includes(character) : character.trim() === '';
    const characters = [...text];
    let [start, end] = [0, characters.length];
    while (atStart && start < end && isStripped(characters[start]!)) start++;
    while (atEnd && start < end && isStripped(characters[end - 1]!)) end--;
    return characters.slice(start, end).join('');
  };
}

/** A value as the package keeps it. */
type Value =
  | { type: 'StringValue'; value: string }
  | { type: 'IntegerValue' | 'FloatValue'; value: number }
  | { type: 'BooleanValue'; value: boolean }
  | { type: 'ArrayValue' | 'TupleValue'; value: Value[] }
  | { type: 'ObjectValue'; value: Map<string, Value> }
  | { type: 'NullValue' | 'UndefinedValue' };

/** Python's `str`. */
function toText([given]: [Value]): string {
  if (given.type === 'StringValue') return given.value;
  return given.type === 'UndefinedValue' ? '' : represent(given);
}

/** Python's `repr`. */
function represent(given: Value): string {
  switch (given.type) {
    case 'StringValue':
      return quote(given.value);
    case 'IntegerValue':
      return BigInt(given.value).toString();
    case 'FloatValue':
      return representFloat(given.value);
    case 'BooleanValue':
      return given.value ? 'True' : 'False';
    case 'NullValue':
      return 'None';
    case 'ArrayValue':
      return `[${given.value.map(represent).join(', ')}]`;
    case 'TupleValue':
      return `(${given.value.map(represent).join(', ')}${given.value.length === 1 ? ',' : ''})`;
    case 'ObjectValue':
      return `{${[...given.value].map(([key, value]) => `${quote(key)}: ${represent(value)}`).join(', ')}}`;
    default:
      throw new Error(`${given.type} cannot be written as text`);
  }
}

function representFloat(number: number): string {
  const [digits, exponent] = number.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 16)
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return Object.is(number, -0) ? '-0.0' : `${number}${Number.isInteger(number) ? '.0' : ''}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const toEscape = (character: string) => {
    if (character === ' ') return character;
    if (character === "'") return character === mark ? "\\'" : character;
    const code = character.codePointAt(0)!;
    const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : (['U', 8] as const);
    return ESCAPES[character] ?? `\\${letter}${code.toString(16).padStart(digits, '0')}`;
  };
  return `${mark}${text.replace(/[\\'\p{C}\p{Z}]/gu, toEscape)}${mark}`;
}

const PYTHON = {
  svc_strip: stripWith(STRIPS.strip),
  svc_lstrip: stripWith(STRIPS.lstrip),
  svc_rstrip: stripWith(STRIPS.rstrip),
  svc_string: toText,
};
