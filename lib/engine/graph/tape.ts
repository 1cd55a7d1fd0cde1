// Reverse-mode differentiation. An operation is a pair of rules that emit graph nodes: forward, which may save tensors
// for the backward pass, and backward. A tape records the calls; walking it in reverse adds the backward pass to the
// same graph.
import type { GraphBuilder, Tensor } from './graph.js';
import { add } from './primitives.js';

/** Inputs by name, so that a rule reads like its formula. Optional inputs may be missing. */
export type Inputs = Readonly<Record<string, Tensor | undefined>>;

export interface Operation<In extends Inputs, Options, Saved> {
  forward(graph: GraphBuilder, inputs: In, options: Options): { output: Tensor; saved: Saved };
  /** `gradient` is that of the loss with respect to the output. */
  backward(graph: GraphBuilder, call: BackwardCall<In, Options, Saved> & { readonly gradient: Tensor }): void;
}

/** An operation with several outputs. */
export interface BranchingOperation<In extends Inputs, Options, Saved> {
  forward(graph: GraphBuilder, inputs: In, options: Options): { outputs: readonly Tensor[]; saved: Saved };
  /** `gradients` are those of the outputs; undefined where the loss does not depend on the output. */
  backward(
    graph: GraphBuilder,
    call: BackwardCall<In, Options, Saved> & { readonly gradients: readonly (Tensor | undefined)[] },
  ): void;
}

interface BackwardCall<In extends Inputs, Options, Saved> {
  readonly inputs: In;
  readonly options: Options;
  readonly saved: Saved;
  /** Whether the gradient of an input is needed: false if it does not depend on anything trainable. */
  needs(name: keyof In): boolean;
  /** Adds to the gradient of an input. `emit` receives the sum so far, so that a product can accumulate into it. */
  addTo(name: keyof In, emit: (partial: Tensor | null) => Tensor): void;
}

// biome-ignore lint/suspicious/noExplicitAny: one tape holds calls of every operation.
type AnyOperation = BranchingOperation<any, any, any>;

interface Call {
  operation: AnyOperation;
  inputs: Inputs;
  options: unknown;
  saved: unknown;
  outputs: readonly Tensor[];
}

export class Tape {
  readonly graph: GraphBuilder;
  readonly #calls: Call[] = [];
  /** Names of the tensors that depend on something trainable. */
  readonly #watched = new Set<string>();

  constructor(graph: GraphBuilder) {
    this.graph = graph;
  }

  /** Marks a tensor as trainable. */
  watch(tensor: Tensor): Tensor {
    this.#watched.add(tensor.name);
    return tensor;
  }

  apply<In extends Inputs, Options, Saved>(
    operation: Operation<In, Options, Saved>,
    inputs: In,
    options: Options,
  ): Tensor {
    return this.applyAll(toBranching(operation), inputs, options)[0]!;
  }

  applyAll<In extends Inputs, Options, Saved>(
    operation: BranchingOperation<In, Options, Saved>,
    inputs: In,
    options: Options,
  ): readonly Tensor[] {
    const { outputs, saved } = operation.forward(this.graph, inputs, options);
    if (Object.values(inputs).some(input => input && this.#watched.has(input.name))) {
      for (const { name } of outputs) this.#watched.add(name);
      this.#calls.push({ operation, inputs, options, saved, outputs });
    }
    return outputs;
  }

  /** The gradients of `seed · output`, by default of a scalar output, with respect to everything trainable that it depends on, by name. */
  gradients(
    output: Tensor,
    seed: Tensor = this.graph.values('float32', [], [1]),
  ): ReadonlyMap<string, Tensor> {
    const found = new Map<string, Tensor>([[output.name, seed]]);
    for (const call of this.#calls.toReversed()) {
      const gradients = call.outputs.map(({ name }) => found.get(name));
      if (gradients.some(Boolean)) this.#backpropagate(call, gradients, found);
    }
    return found;
  }

  #backpropagate(
    { operation, inputs, options, saved }: Call,
    gradients: readonly (Tensor | undefined)[],
    found: Map<string, Tensor>,
  ): void {
    const needs = (name: string) => inputs[name] !== undefined && this.#watched.has(inputs[name].name);
    operation.backward(this.graph, {
      inputs,
      options,
      saved,
      gradients,
      needs: name => needs(String(name)),
      addTo: (name, emit) => {
        if (!needs(String(name))) return;
        const key = inputs[String(name)]!.name;
        found.set(key, emit(found.get(key) ?? null));
      },
    });
  }
}

function toBranching<In extends Inputs, Options, Saved>({
  forward,
  backward,
}: Operation<In, Options, Saved>): BranchingOperation<In, Options, Saved> {
  return {
    forward(graph, inputs, options) {
      const { output, saved } = forward(graph, inputs, options);
      return { outputs: [output], saved };
    },
    backward(graph, { gradients, ...call }) {
      backward(graph, { ...call, gradient: gradients[0]! });
    },
  };
}

/** `value`, added to `partial` if there is one: for rules that cannot accumulate at no cost. */
export function sum(graph: GraphBuilder, partial: Tensor | null, value: Tensor): Tensor {
  return partial ? add(graph, partial, value) : value;
}
