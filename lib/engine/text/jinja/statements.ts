// Turns the statements of a template into functions that write what they render.
import { compileArguments, compileExpression, compileFilter, type Evaluate } from './expressions.js';
import { call } from './functions.js';
import { createLoop } from './globals.js';
import {
  type Body,
  type Expression,
  type ForNode,
  type MacroNode,
  mentions,
  type Parameter,
  type SetNode,
  type Statement,
  type TupleNode,
} from './nodes.js';
import { Scope } from './scope.js';
import { toText } from './text.js';
import { type Callable, Instance, isTrue, iterate, Tuple, Undefined, type Value } from './values.js';

/** How a loop goes on. */
type Jump = 'break' | 'continue' | undefined;

type Run = (scope: Scope, out: string[]) => Jump;

function compileBody(body: Body): Run {
  const runs = body.map(compileStatement);
  return (scope, out) => {
    for (const run of runs) {
      const jump = run(scope, out);
      if (jump) return jump;
    }
    return undefined;
  };
}

function compileStatement(node: Statement): Run {
  switch (node.type) {
    case 'Comment':
      return () => undefined;
    case 'Break':
      return () => 'break';
    case 'Continue':
      return () => 'continue';
    case 'If': {
      const test = compileExpression(node.test);
      const [yes, no] = [compileBody(node.body), compileBody(node.alternate)];
      return (scope, out) => (isTrue(test(scope)) ? yes : no)(scope, out);
    }
    case 'For':
      return compileFor(node);
    case 'Set':
      return compileSet(node);
    case 'Macro':
      return compileMacro(node);
    case 'FilterStatement': {
      const write = writing(compileFilter(node.filter, compileText(node.body)));
      return (scope, out) => write(new Scope(scope), out);
    }
    case 'CallStatement': {
      const caller = createMacro('caller', node.callerArgs ?? [], node.body);
      const [callee, given] = [compileExpression(node.call.callee), compileArguments(node.call.args)];
      return writing(scope => {
        const [args, keywords] = given(scope);
        return call(callee(scope), args, new Map([...keywords, ['caller', caller(scope)]]));
      });
    }
    default:
      return writing(compileExpression(node));
  }
}

const writing =
  (evaluate: Evaluate): Run =>
  (scope, out) => {
    out.push(toText(evaluate(scope)));
    return undefined;
  };

/** What statements write, in a scope of their own. */
export function compileText(body: Body): (around: Scope) => string {
  const run = compileBody(body);
  return around => {
    const out: string[] = [];
    if (run(new Scope(around), out)) throw new Error('break and continue have to be in a loop');
    return out.join('');
  };
}

/** Each round has its own variables. */
function compileFor({ loopvar, iterable, body, defaultBlock }: ForNode): Run {
  const isFiltered = iterable.type === 'SelectExpression';
  const all = compileExpression(isFiltered ? iterable.lhs : iterable);
  const test = isFiltered ? compileExpression(iterable.test) : undefined;
  const assign = compileTarget(loopvar);
  const [run, runOtherwise] = [compileBody(body), compileBody(defaultBlock)];
  const usesLoop = mentions(body, 'loop');
  const startRound = (scope: Scope, item: Value) => {
    const round = new Scope(scope);
    assign(round, item);
    return round;
  };
  return (scope, out) => {
    const given = iterate(all(scope));
    const items = test ? given.filter(item => isTrue(test(startRound(scope, item)))) : given;
    let isCompleted = false;
    const { loop, advance } = createLoop(items);
    for (const [index, item] of items.entries()) {
      const round = startRound(scope, item);
      advance(index);
      if (usesLoop) round.set('loop', loop);
      const jump = run(round, out);
      isCompleted ||= jump === undefined;
      if (jump === 'break') break;
    }
    // Also if each round was left early.
    return isCompleted ? undefined : runOtherwise(new Scope(scope), out);
  };
}

type Assign = (scope: Scope, value: Value) => void;

function compileTarget(node: Expression): Assign {
  if (node.type === 'Identifier') return (scope, value) => scope.set(node.value, value);
  if (node.type === 'TupleLiteral') return compileUnpacking(node);
  if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier') {
    const [holder, name] = [compileExpression(node.object), node.property.value];
    return (scope, value) => {
      const namespace = holder(scope);
      if (!(namespace instanceof Instance) || !namespace.set)
        throw new Error('cannot assign attribute on non-namespace object');
      namespace.set(name, value);
    };
  }
  throw new Error(`a ${node.type} cannot be set`);
}

function compileUnpacking({ value: targets }: TupleNode): Assign {
  const assign = targets.map(compileTarget);
  return (scope, value) => {
    const items = iterate(value);
    if (items.length !== assign.length)
      throw new Error(`${items.length} items cannot be unpacked into ${assign.length} variables`);
    for (const [index, put] of assign.entries()) put(scope, items[index]!);
  };
}

function compileSet({ assignee, value, body }: SetNode): Run {
  if (value !== null) return setting(compileTarget(assignee), compileExpression(value));
  const text = compileText(body);
  if (assignee.type !== 'FilterExpression') return setting(compileTarget(assignee), text);
  // {% set name | filter %}: the filters apply to the text.
  let target: Expression = assignee;
  const filters: (typeof assignee.filter)[] = [];
  for (; target.type === 'FilterExpression'; target = target.operand) filters.unshift(target.filter);
  const filtered = filters.reduce<Evaluate>((operand, filter) => compileFilter(filter, operand), text);
  return setting(compileTarget(target), filtered);
}

const setting =
  (assign: Assign, evaluate: Evaluate): Run =>
  scope => {
    assign(scope, evaluate(scope));
    return undefined;
  };

function compileMacro({ name, args, body }: MacroNode): Run {
  const macro = createMacro(name.value, args, body);
  return scope => {
    scope.set(name.value, macro(scope));
    return undefined;
  };
}

/** A macro sees the variables where it is defined, not those where it is called. */
function createMacro(
  name: string,
  parameters: readonly Parameter[],
  body: Body,
): (around: Scope) => Callable {
  const write = compileText(body);
  const all = parameters.map(compileParameter);
  const names = all.map(({ name }) => name);
  const [takesMore, takesKeywords, takesCaller] = ['varargs', 'kwargs', 'caller'].map(
    variable => !names.includes(variable) && mentions(body, variable),
  );
  return around => (args, keywords) => {
    const scope = new Scope(around);
    const left = new Map(keywords);
    for (const [index, { name, otherwise }] of all.entries()) {
      const given = index < args.length ? args[index] : left.get(name);
      if (index >= args.length) left.delete(name);
      scope.set(name, given === undefined ? otherwise(scope) : given);
    }
    if (takesCaller) {
      scope.set('caller', left.get('caller') ?? new Undefined('No caller defined'));
      left.delete('caller');
    }
    if (takesKeywords) scope.set('kwargs', new Map(left));
    else
      for (const keyword of left.keys())
        throw new Error(`macro '${name}' takes no keyword argument '${keyword}'`);
    if (takesMore) scope.set('varargs', new Tuple(args.slice(all.length)));
    else if (args.length > all.length)
      throw new Error(`macro '${name}' takes not more than ${all.length} argument(s)`);
    return write(scope);
  };
}

function compileParameter(node: Parameter): { name: string; otherwise: Evaluate } {
  if (node.type !== 'Identifier') return { name: node.key.value, otherwise: compileExpression(node.value) };
  const missing = new Undefined(`parameter '${node.value}' was not provided`);
  return { name: node.value, otherwise: () => missing };
}
