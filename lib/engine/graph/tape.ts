// Reverse-mode differentiation. Each differentiable operation is a pair of rules that emit graph: forward, which may
// keep what the way back needs, and backward. A tape remembers the calls; walking it in reverse adds the backward pass
// to the same graph.
import type { GraphBuilder } from './graph.js';
import { add } from './primitives.js';
import type { Tensor } from './tensor.js';

/** Inputs by name, so that a rule reads like its formula. A missing one was not given. */
export type Inputs = Readonly<Record<string, Tensor | undefined>>;

export interface Operation<In extends Inputs, Options, Saved> {
  readonly name: string;
  forward(graph: GraphBuilder, inputs: In, options: Options): { output: Tensor; saved: Saved };
  backward(graph: GraphBuilder, call: BackwardCall<In, Options, Saved>): void;
}

export interface BackwardCall<In extends Inputs, Options, Saved> {
  readonly inputs: In;
  readonly options: Options;
  readonly saved: Saved;
  readonly output: Tensor;
  /** The gradient of the loss by the output. */
  readonly gradient: Tensor;
  /** False for an input that nothing trainable lies behind: its gradient is not asked for. */
  needs(name: keyof In): boolean;
  /** Adds to the gradient of an input. `emit` is given what was added before, to add to it at no cost if it can. */
  add(name: keyof In, emit: (partial: Tensor | null) => Tensor): void;
}

// biome-ignore lint/suspicious/noExplicitAny: calls of every operation lie on one tape.
type AnyOperation = Operation<any, any, any>;

interface Call {
  operation: AnyOperation;
  inputs: Inputs;
  options: unknown;
  saved: unknown;
  output: Tensor;
}

export class Tape {
  readonly graph: GraphBuilder;
  readonly #calls: Call[] = [];
  /** Names of the tensors that something trainable lies behind. */
  readonly #live = new Set<string>();

  constructor(graph: GraphBuilder) {
    this.graph = graph;
  }

  /** Marks a tensor as one whose gradient is wanted. */
  train(tensor: Tensor): Tensor {
    this.#live.add(tensor.name);
    return tensor;
  }

  apply<In extends Inputs, Options, Saved>(
    operation: Operation<In, Options, Saved>,
    inputs: In,
    options: Options,
  ): Tensor {
    const { output, saved } = operation.forward(this.graph, inputs, options);
    if (Object.values(inputs).some(input => input && this.#live.has(input.name))) {
      this.#live.add(output.name);
      this.#calls.push({ operation, inputs, options, saved, output });
    }
    return output;
  }

  /** The gradients of `seed · output` by everything trainable behind it, by name; one that does not matter has none. */
  gradients(
    output: Tensor,
    seed: Tensor = this.graph.values('float32', output.shape, [1]),
  ): ReadonlyMap<string, Tensor> {
    const found = new Map<string, Tensor>([[output.name, seed]]);
    for (const call of this.#calls.toReversed()) {
      const gradient = found.get(call.output.name);
      if (gradient) this.#walkBack(call, gradient, found);
    }
    return found;
  }

  #walkBack(
    { operation, inputs, options, saved, output }: Call,
    gradient: Tensor,
    found: Map<string, Tensor>,
  ): void {
    const needs = (name: string) => inputs[name] !== undefined && this.#live.has(inputs[name].name);
    operation.backward(this.graph, {
      inputs,
      options,
      saved,
      output,
      gradient,
      needs: name => needs(String(name)),
      add: (name, emit) => {
        if (!needs(String(name))) return;
        const key = inputs[String(name)]!.name;
        found.set(key, emit(found.get(key) ?? null));
      },
    });
  }
}

/** `value`, added to `partial` when there is one: for rules that cannot add for free. */
export function sum(graph: GraphBuilder, partial: Tensor | null, value: Tensor): Tensor {
  return partial ? add(graph, partial, value) : value;
}
