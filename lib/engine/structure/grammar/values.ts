// The values that a JSON schema lists.
import { type Keywords, requireList, SchemaError, type Type, typesOf } from './keywords.js';
import { choice, type Node, sequence, space, text } from './machine.js';

export function writeValues(given: Keywords, others: readonly string[], path: string): Node {
  const odd = others.find(name => name !== 'type' && name !== 'enum' && name !== 'const');
  if (odd) throw new SchemaError(`${path}.${odd} beside a list of values cannot be enforced`);
  const listed = given.enum === undefined ? [given.const] : requireList(given.enum, `${path}.enum`);
  const types = given.type === undefined ? null : typesOf(given, path);
  const isSame = (value: unknown) =>
    given.const === undefined || JSON.stringify(value) === JSON.stringify(given.const);
  const fitting = listed.filter(
    value => isSame(value) && (!types || types.some(type => isOfType(value, type))),
  );
  return choice(...fitting.map(writeValue));
}

function writeValue(value: unknown): Node {
  if (typeof value !== 'object' || value === null) return text(JSON.stringify(value));
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(writeValue)
    : Object.entries(value).map(([name, part]) =>
        sequence(text(`${JSON.stringify(name)}:`), space, writeValue(part)),
      );
  const separated = parts.flatMap((part, i) => (i === 0 ? [part] : [text(','), space, part]));
  return sequence(text(isList ? '[' : '{'), space, ...separated, space, text(isList ? ']' : '}'));
}

function isOfType(value: unknown, type: Type): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
