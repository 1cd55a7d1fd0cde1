import { orUndefined, type Value } from './values.js';

/** The variables of a part of a template. What it does not set itself, it has from the part around it. */
export class Scope {
  readonly #own: Map<string, Value>;
  readonly #around: Scope | undefined;

  constructor(around?: Scope, own = new Map<string, Value>()) {
    this.#around = around;
    this.#own = own;
  }

  get(name: string): Value {
    let value = this.#own.get(name);
    for (let scope = this.#around; value === undefined && scope; scope = scope.#around)
      value = scope.#own.get(name);
    return orUndefined(value, `'${name}' is undefined`);
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }
}
