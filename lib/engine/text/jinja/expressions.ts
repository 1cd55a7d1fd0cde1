// Turns the expressions of a template into functions that compute them.
import { findMethod, getAttribute, getItem } from './attributes.js';
import { findFilter } from './filters.js';
import { call } from './functions.js';
import type { Argument, CallNode, Expression, MemberNode, Named } from './nodes.js';
import { negate, OPERATORS, setKey } from './operators.js';
import type { Scope } from './scope.js';
import { slice } from './slices.js';
import { findTest } from './tests.js';
import { toText } from './text.js';
import {
  type Dict,
  Float,
  isTrue,
  iterate,
  type Keywords,
  NO_KEYWORDS,
  Tuple,
  toInteger,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

export type Evaluate = (scope: Scope) => Value;

const CONSTANTS: ReadonlyMap<string, Value> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

export function compileExpression(node: Expression): Evaluate {
  switch (node.type) {
    case 'StringLiteral':
      return constant(node.value);
    case 'IntegerLiteral':
      if (!Number.isSafeInteger(node.value)) throw new Error(`the integer ${node.value} is too large`);
      return constant(toInteger(node.value));
    case 'FloatLiteral':
      return constant(new Float(node.value));
    case 'Identifier':
      return compileName(node);
    case 'ArrayLiteral': {
      const items = node.value.map(compileExpression);
      return scope => items.map(item => item(scope));
    }
    case 'TupleLiteral': {
      const items = node.value.map(compileExpression);
      return scope => new Tuple(items.map(item => item(scope)));
    }
    case 'ObjectLiteral':
      return compileDict(node.value);
    case 'MemberExpression':
      return compileMember(node);
    case 'CallExpression':
      return compileCall(node);
    case 'FilterExpression':
      return compileFilter(node.filter, compileExpression(node.operand));
    case 'UnaryExpression':
      return compileUnary(node.operator.value, compileExpression(node.argument));
    case 'BinaryExpression':
      return compileBinary(node.operator.value, compileExpression(node.left), compileExpression(node.right));
    case 'TestExpression': {
      const [operand, { negate }, name] = [compileExpression(node.operand), node, node.test.value];
      return scope => isTrue(findTest(name)([operand(scope)], NO_KEYWORDS)) !== negate;
    }
    case 'SelectExpression': {
      const [test, value] = [compileExpression(node.test), compileExpression(node.lhs)];
      const nothing = new Undefined('the condition of an expression without an else is false');
      return scope => (isTrue(test(scope)) ? value(scope) : nothing);
    }
    case 'Ternary': {
      const test = compileExpression(node.condition);
      const [yes, no] = [compileExpression(node.trueExpr), compileExpression(node.falseExpr)];
      return scope => (isTrue(test(scope)) ? yes(scope) : no(scope));
    }
    default:
      throw new Error(`${(node as { type: string }).type} is not supported`);
  }
}

const constant = (value: Value) => () => value;

function compileName({ value: name }: Named): Evaluate {
  const known = CONSTANTS.get(name);
  return known === undefined ? scope => scope.get(name) : constant(known);
}

function compileDict(pairs: ReadonlyMap<Expression, Expression>): Evaluate {
  const compiled = Array.from(
    pairs,
    ([key, value]) => [compileExpression(key), compileExpression(value)] as const,
  );
  return scope => {
    const dict: Dict = new Map();
    for (const [key, value] of compiled) setKey(dict, key(scope), value(scope));
    return dict;
  };
}

function compileMember({ object, property, computed }: MemberNode): Evaluate {
  const holder = compileExpression(object);
  if (property.type === 'SliceExpression') {
    const [start, stop, step] = [property.start, property.stop, property.step].map(
      bound => bound && compileExpression(bound),
    );
    return scope => slice(holder(scope), start?.(scope), stop?.(scope), step?.(scope));
  }
  if (!computed && property.type === 'Identifier')
    return scope => getAttribute(holder(scope), property.value);
  const key = compileExpression(property);
  return scope => getItem(holder(scope), key(scope));
}

type Given = (scope: Scope) => readonly [args: Value[], keywords: Keywords];

export function compileArguments(args: readonly Argument[]): Given {
  const isPlain = args.every(({ type }) => !/^(Keyword|Spread)/.test(type));
  if (isPlain) {
    const values = (args as readonly Expression[]).map(compileExpression);
    return scope => [values.map(value => value(scope)), NO_KEYWORDS];
  }
  const add = args.map(compileArgument);
  return scope => {
    const given: Value[] = [];
    const keywords = new Map<string, Value>();
    for (const put of add) put(scope, given, keywords);
    return [given, keywords];
  };
}

type Put = (scope: Scope, given: Value[], keywords: Map<string, Value>) => void;

function compileArgument(node: Argument): Put {
  if (node.type === 'KeywordArgumentExpression') {
    const value = compileExpression(node.value);
    return (scope, _, keywords) => setKeyword(keywords, node.key.value, value(scope));
  }
  if (node.type === 'SpreadExpression') {
    const items = compileExpression(node.argument);
    return (scope, given) => given.push(...iterate(items(scope)));
  }
  if (node.type === 'KeywordSpreadExpression') {
    const dict = compileExpression(node.argument);
    return (scope, _, keywords) => {
      const given = dict(scope);
      if (!(given instanceof Map))
        throw new Error(`argument after ** must be a mapping, not ${typeOf(given)}`);
      for (const [name, value] of given) setKeyword(keywords, toText(name), value);
    };
  }
  const value = compileExpression(node);
  return (scope, given) => given.push(value(scope));
}

function setKeyword(keywords: Map<string, Value>, name: string, value: Value): void {
  if (keywords.has(name)) throw new Error(`got multiple values for keyword argument '${name}'`);
  keywords.set(name, value);
}

function compileCall({ callee, args }: CallNode): Evaluate {
  const given = compileArguments(args);
  if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier') {
    const [holder, name] = [compileExpression(callee.object), callee.property.value];
    return scope => {
      const self = holder(scope);
      const method = findMethod(self, name);
      const [values, keywords] = given(scope);
      return method ? method([self, ...values], keywords) : call(getAttribute(self, name), values, keywords);
    };
  }
  const called = compileExpression(callee);
  return scope => {
    const target = called(scope);
    return call(target, ...given(scope));
  };
}

export function compileFilter(filter: Named | CallNode, operand: Evaluate): Evaluate {
  const { value: name } = (filter.type === 'Identifier' ? filter : filter.callee) as Named;
  const given = compileArguments(filter.type === 'Identifier' ? [] : filter.args);
  return scope => {
    const apply = findFilter(name);
    const value = operand(scope);
    const [args, keywords] = given(scope);
    return apply([value, ...args], keywords);
  };
}

function compileUnary(operator: string, operand: Evaluate): Evaluate {
  if (operator === 'not') return scope => !isTrue(operand(scope));
  return scope => negate(operand(scope), operator as '-' | '+');
}

function compileBinary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === 'and' || operator === 'or') {
    const endsAt = operator === 'or';
    return scope => {
      const value = left(scope);
      return isTrue(value) === endsAt ? value : right(scope);
    };
  }
  const compute = OPERATORS[operator];
  if (!compute) throw new Error(`the operator ${operator} is not supported`);
  return scope => compute(left(scope), right(scope));
}
