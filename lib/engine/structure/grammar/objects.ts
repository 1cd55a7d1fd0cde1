// Compiles a JSON schema's object keywords. Properties are written in schema order.
import { fits, type Patterns, toPattern } from '../pattern/index.js';
import {
  type JsonSchema,
  type Keywords,
  requireKeywords,
  requireNames,
  requireSchema,
  UnenforceableError,
} from './keywords.js';
import {
  choice,
  later,
  match,
  NEVER,
  NOTHING,
  type Node,
  remember,
  sequence,
  space,
  text,
} from './machine.js';
import { otherString } from './matcher.js';
import { readName, writeRest } from './strings.js';

interface Writing {
  write(schema: unknown, path: string): Node;
  join(a: JsonSchema, b: JsonSchema, path: string): JsonSchema;
  inline(schema: JsonSchema): JsonSchema;
}

export function writeObject(given: Keywords, path: string, writing: Writing): Node {
  const { declared, required, families } = readProperties(given, path, writing);
  const values = declared.map(([name, schema]) => writing.write(schema, `${path}.properties.${name}`));
  const entry = (name: Node, value: Node, isFirst: boolean) =>
    sequence(isFirst ? NOTHING : sequence(text(','), space), name, text(':'), space, value);
  const open = families.map(family => ({
    name: family.name,
    value: writing.write(family.schema, family.path),
  }));
  const others = remember(
    (isFirst: boolean): Node =>
      choice(
        NOTHING,
        ...open.map(({ name, value }) =>
          sequence(
            entry(name, value, isFirst),
            later(() => others(false)),
          ),
        ),
      ),
  );
  const entries = declared.map(([name], i) =>
    remember((isFirst: boolean) =>
      sequence(
        entry(text(JSON.stringify(name)), values[i]!, isFirst),
        later(() => from(`n${i + 1}`)),
      ),
    ),
  );
  const from = remember((place: string): Node => {
    const [i, isFirst] = [Number(place.slice(1)), place[0] === 'f'];
    const next = declared.findIndex(([name], j) => j >= i && required.has(name));
    const options = entries.slice(i, next === -1 ? undefined : next + 1).map(write => write(isFirst));
    // The shortest path first, so that a terminating one is found early.
    return choice(...(next === -1 ? [others(isFirst)] : []), ...options.reverse());
  });
  return sequence(text('{'), space, from('f0'), space, text('}'));
}

type Property = readonly [name: string, schema: JsonSchema];

interface Properties {
  declared: readonly Property[];
  required: ReadonlySet<string>;
  /** Undeclared properties: one member per kind of name. */
  families: readonly { name: Node; schema: JsonSchema; path: string }[];
}

function readProperties(given: Keywords, path: string, { join, inline }: Writing): Properties {
  const required = new Set(requireNames(given.required ?? [], `${path}.required`));
  const byPattern = Object.entries(
    requireKeywords(given.patternProperties ?? {}, `${path}.patternProperties`),
  ).map(([source, schema]) => ({ source, schema: requireSchema(schema, `${path}.patternProperties`) }));
  const hasDeclared = given.properties !== undefined || byPattern.length > 0;
  // If a schema declares properties, only those are written, even if others would be valid.
  const additional = (given.additionalProperties ?? !hasDeclared) as JsonSchema;
  const ofUndeclared = (given.additionalProperties ?? true) as JsonSchema;
  const names =
    given.propertyNames === undefined
      ? null
      : readName(inline(requireSchema(given.propertyNames, path)), path);
  const properties = Object.entries(requireKeywords(given.properties ?? {}, `${path}.properties`)) as [
    string,
    JsonSchema,
  ][];
  const known = new Set(properties.map(([name]) => name));
  const undeclared = [
    ...new Set([...required, ...(additional === false ? [] : (names?.listed ?? []))]),
  ].filter(name => !known.has(name));
  const declared = [...properties, ...undeclared.map(name => [name, schemaOf(name)] as const)].map(
    ([name, schema]): Property => [name, names && !names.fits(name) ? false : withPatterns(name, schema)],
  );

  function schemaOf(name: string): JsonSchema {
    return byPattern.some(({ source }) => fits([{ source }], name)) ? true : ofUndeclared;
  }

  function withPatterns(name: string, schema: JsonSchema): JsonSchema {
    return byPattern
      .filter(({ source }) => fits([{ source }], name))
      .reduce((all, pattern) => join(all, inline(pattern.schema), `${path}.patternProperties`), schema);
  }

  /** Undeclared names that match this pattern, if any, and no other pattern. */
  function family(own: string | null): Node {
    const conditions: Patterns = [
      ...(names?.patterns ?? []),
      ...byPattern.map(({ source }) => ({ source, isNegative: source !== own })),
    ];
    const taken = declared.map(([name]) => name);
    if (names?.listed) return NEVER;
    if (conditions.length === 0 && !names) {
      const quoted = taken.map(name => Buffer.from(JSON.stringify(name).slice(1, -1)));
      return sequence(text('"'), match(otherString(quoted)));
    }
    const others = taken.length === 0 ? [] : [{ source: toPattern(taken), isNegative: true }];
    const { min = 0, max = Number.POSITIVE_INFINITY } = names ?? {};
    const limits = { patterns: [...conditions, ...others], min, max };
    return writeRest(limits, path, names ? 'propertyNames' : 'patternProperties') ?? NEVER;
  }

  return {
    declared,
    required,
    families: [
      ...byPattern.map(({ source, schema }) => ({
        name: family(source),
        schema,
        path: `${path}.patternProperties.${source}`,
      })),
      {
        name: additional === false ? NEVER : family(null),
        schema: additional,
        path: `${path}.additionalProperties`,
      },
    ],
  };
}

const MOST_DEPENDENT = 6;

/** Splits `dependentRequired` into two schemas: one with the property and those it requires, one without it. */
export function splitDependent(given: Keywords, path: string): [JsonSchema, JsonSchema] | null {
  if (given.dependentRequired === undefined) return null;
  const all = Object.entries(requireKeywords(given.dependentRequired, `${path}.dependentRequired`));
  if (all.length > MOST_DEPENDENT)
    throw new UnenforceableError(
      path,
      'dependentRequired',
      `${path}.dependentRequired: at most ${MOST_DEPENDENT} can be enforced`,
    );
  const { dependentRequired: _, ...rest } = given;
  const [first, ...others] = all;
  if (!first) return [rest, false];
  const [name, needs] = first;
  const left = { ...rest, ...(others.length > 0 && { dependentRequired: Object.fromEntries(others) }) };
  const required = requireNames(given.required ?? [], `${path}.required`);
  const properties = requireKeywords(given.properties ?? {}, `${path}.properties`);
  return [
    { ...left, properties: { ...properties, [name]: false } },
    {
      ...left,
      required: [...new Set([...required, name, ...requireNames(needs, `${path}.dependentRequired`)])],
    },
  ];
}
