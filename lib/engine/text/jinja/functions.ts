// Functions that templates call, with Python's rules for arguments.
import { type Callable, Instance, typeOf, Undefined, type Value } from './values.js';

/** What a function computes. A parameter without a default is required. */
type Compute = (...given: never[]) => Value;

/** A function whose parameters have these names, separated by spaces. */
export function define(name: string, parameters: string, compute: Compute): Callable {
  const names = parameters.split(' ').filter(Boolean);
  const required = compute.length;
  return (args, keywords) => {
    if (args.length > names.length)
      throw new Error(`${name}() takes at most ${names.length} arguments, not ${args.length}`);
    const given: (Value | undefined)[] = [...args];
    for (const [keyword, value] of keywords) {
      const at = names.indexOf(keyword);
      if (at < 0) throw new Error(`${name}() has no argument ${keyword}`);
      if (given[at] !== undefined) throw new Error(`${name}() got the argument ${keyword} twice`);
      given[at] = value;
    }
    for (let at = 0; at < required; at++)
      if (given[at] === undefined) throw new Error(`${name}() misses its argument ${names[at]}`);
    return (compute as (...given: (Value | undefined)[]) => Value)(...given);
  };
}

/** Functions by name; the text has the name and the parameters of each. */
export function defineAll(functions: Readonly<Record<string, Compute>>): Map<string, Callable> {
  return new Map(
    Object.entries(functions).map(([signature, compute]) => {
      const [name, ...parameters] = signature.split(' ');
      return [name!, define(name!, parameters.join(' '), compute)];
    }),
  );
}

export function call(callee: Value, ...[args, keywords]: Parameters<Callable>): Value {
  if (typeof callee === 'function') return callee(args, keywords);
  if (callee instanceof Undefined) throw new Error(callee.reason);
  if (callee instanceof Instance && callee.call) return callee.call(args, keywords);
  throw new Error(`'${typeOf(callee)}' object is not callable`);
}
