// Compares the gradient of every operation with finite differences: the loss is a random mix of the outputs, and the
// inputs move a little in random directions, all at once and one at a time.
import { describe, expect, it, onTestFinished } from 'vitest';
import { sizeOf } from '../../../lib/engine/graph/graph.js';
import {
  attention,
  causalConvolution,
  columns,
  crossEntropy,
  crossEntropyInParts,
  FILLING,
  float32Matrix,
  float32Table,
  GraphBuilder,
  geglu,
  type Lines,
  pickRows,
  policy,
  preference,
  product,
  project,
  repeatHeads,
  reshaped,
  residual,
  rmsNorm,
  rope,
  scaled,
  sigmoid,
  softCrossEntropy,
  stateDecay,
  swiglu,
  Tape,
  type Tensor,
  weightedSum,
} from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { createRandom } from '../../support/random.js';

type Shapes = Record<string, readonly number[]>;
type Build = (tape: Tape, inputs: Record<string, Tensor>) => Tensor;

async function check(shapes: Shapes, build: Build): Promise<void> {
  const graph = new GraphBuilder();
  const tape = new Tape(graph);
  const names = Object.keys(shapes);
  const perName = <T>(make: (name: string) => T, all = names) =>
    Object.fromEntries(all.map(name => [name, make(name)]));
  const inputs = perName(name => tape.watch(graph.input(name, 'float32', shapes[name]!)));
  const output = build(tape, inputs);
  const shape = output.shape as readonly number[];
  const seed = graph.input('seed', 'float32', shape);
  const gradients = tape.gradients(output, seed);
  graph.output('output', output);
  for (const name of names) graph.output(`d_${name}`, gradients.get(name)!);
  const session = await createSession(graph);
  onTestFinished(() => session.close());

  const random = createRandom(7);
  const values = perName(name => random.normal(sizeOf(shapes[name]!)));
  const mix = random.normal(sizeOf(shape));
  const results = await session.run({ ...values, seed: mix });
  const lossAt = async (point: Record<string, Float32Array>) =>
    dot((await session.run({ ...point, seed: mix })).output!, mix);

  for (const moved of [names, ...names.map(name => [name])]) {
    for (let trial = 0; trial < 2; trial++) {
      const directions = perName(name => random.normal(values[name]!.length), moved);
      const step = 3e-3;
      const move = (name: string, by: number) => values[name]!.map((x, i) => x + by * directions[name]![i]!);
      const at = (by: number) => lossAt({ ...values, ...perName(name => move(name, by), moved) });
      const slope = ((await at(step)) - (await at(-step))) / (2 * step);
      const pairs = moved.map(name => [results[`d_${name}`]!, directions[name]!] as const);
      const expected = pairs.reduce((sum, [gradient, direction]) => sum + dot(gradient, direction), 0);
      const scale = pairs.reduce((sum, [gradient, direction]) => sum + norm(gradient) * norm(direction), 0);
      expect(scale, `the gradient by ${moved}`).toBeGreaterThan(0);
      expect(Math.abs(slope - expected) / scale, `along ${moved}`).toBeLessThan(2e-3);
    }
  }
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const norm = (a: Float32Array) => Math.sqrt(dot(a, a));

function causalMask(graph: GraphBuilder, [lines, length]: readonly [number, number], group: number): Tensor {
  const mask = Array.from({ length: lines * group * length * length }, (_, i) => {
    const query = Math.floor(i / length) % length;
    return i % length <= query ? 0 : -1e9;
  });
  return graph.values('float32', [lines, 1, group * length, length], mask);
}

function linesOf(graph: GraphBuilder, count: number, length: number): Lines {
  return { shape: graph.values('int64', [2], [count, length]), count, length };
}

function projectOnce(
  tape: Tape,
  { x, weight, ...rest }: Record<string, Tensor | undefined>,
  options: { scaling: number; keep?: Tensor } = { scaling: 1 },
): Tensor {
  return project(tape, x!, [{ matrix: float32Matrix(weight!), ...rest }], options)[0]!;
}

describe('the gradient of', () => {
  it.each<[string, Shapes]>([
    ['', {}],
    [' with a bias', { bias: [3] }],
    [' with an adapter', { a: [2, 4], b: [2, 3] }],
    [' with an adapter and a bias', { a: [2, 4], b: [2, 3], bias: [3] }],
  ])('linear%s', (_, more) =>
    check({ x: [5, 4], weight: [3, 4], ...more }, (tape, given) =>
      projectOnce(tape, given, { scaling: 0.5 }),
    ),
  );

  it('linear with an adapter and dropout', () =>
    check({ x: [5, 4], weight: [3, 4], a: [2, 4], b: [2, 3] }, (tape, { x, weight, a, b }) => {
      const kept = Array.from({ length: 20 }, (_, i) => (i % 3 ? 1.25 : 0));
      const keep = tape.graph.values('float32', [5, 4], kept);
      return projectOnce(tape, { x, weight, a, b }, { scaling: 2, keep });
    }));

  it.each([
    ['all', ['p', 'q', 'r']],
    ['some', ['p', 'r']],
  ])('projections of one input, when the loss depends on %s of them', (_, used) => {
    const shapes: Shapes = { x: [5, 4] };
    for (const name of used) {
      const rank = name === 'p' ? 1 : 2;
      Object.assign(shapes, {
        [`${name}.weight`]: [3, 4],
        [`${name}.a`]: [rank, 4],
        [`${name}.b`]: [rank, 3],
      });
    }
    return check(shapes, (tape, { x, ...given }) => {
      const spare = (shape: [number, number]) =>
        tape.graph.values('float32', shape, Array(shape[0] * shape[1]).fill(0.3));
      const projections = ['p', 'q', 'r'].map(name => ({
        matrix: float32Matrix(given[`${name}.weight`] ?? spare([3, 4])),
        a: given[`${name}.a`] ?? spare([2, 4]),
        b: given[`${name}.b`] ?? spare([2, 3]),
      }));
      const outputs = project(tape, x!, projections, { scaling: 0.5 });
      const wanted = outputs.filter((_, i) => used.includes('pqr'[i]!));
      return wanted.reduce((a, b) => tape.apply(residual, { a, b }, null));
    });
  });

  it('an input that several operations share', () =>
    check({ x: [5, 4], weight: [4, 4], a: [2, 4], b: [2, 4] }, (tape, { x, weight, a, b }) => {
      const one = projectOnce(tape, { x, weight, a, b }, { scaling: 0.5 });
      const two = projectOnce(tape, { x, weight });
      const sum = tape.apply(residual, { a: one, b: two }, null);
      return tape.apply(residual, { a: sum, b: x! }, null);
    }));

  it('rmsNorm', () =>
    check({ x: [5, 8], scale: [8] }, (tape, { x, scale }) =>
      tape.apply(rmsNorm, { x: x!, scale: scale! }, { epsilon: 1e-5 }),
    ));

  it.each([
    ['whole', 4],
    ['a part of', 6],
  ])('rope of %s heads', (_, dim) =>
    check({ x: [6, 2 * dim] }, (tape, { x }) => {
      const { graph } = tape;
      const lines = linesOf(graph, 2, 3);
      const angles = Array.from({ length: 8 * 2 }, (_, i) => Math.floor(i / 2) / 10 ** (i % 2));
      const table = (of: (angle: number) => number) => graph.values('float32', [8, 2], angles.map(of));
      const [cos, sin, minusSin] = [table(Math.cos), table(Math.sin), table(angle => -Math.sin(angle))];
      const positions = graph.values('int64', [2, 3], [0, 1, 2, 5, 0, 7]);
      return tape.apply(rope, { x: x! }, { lines, positions, cos, sin, minusSin, heads: 2 });
    }),
  );

  it.each([2, 4])('attention with 4 heads and %i of keys', kvHeads =>
    check({ q: [2 * 5, 4 * 3], k: [2 * 5, kvHeads * 3], v: [2 * 5, kvHeads * 3] }, (tape, { q, k, v }) => {
      const { graph } = tape;
      const mask = causalMask(graph, [2, 5], 4 / kvHeads);
      const options = { heads: 4, kvHeads, dim: 3, scale: 0.7, lines: linesOf(graph, 2, 5), mask };
      return tape.apply(attention, { q: q!, k: k!, v: v! }, options);
    }),
  );

  it('swiglu', () =>
    check({ gate: [4, 6], up: [4, 6] }, (tape, { gate, up }) =>
      tape.apply(swiglu, { gate: gate!, up: up! }, null),
    ));

  it('geglu', () =>
    check({ gate: [4, 6], up: [4, 6] }, (tape, { gate, up }) =>
      tape.apply(geglu, { gate: gate!, up: up! }, null),
    ));

  it('sigmoid', () => check({ x: [4, 6] }, (tape, { x }) => tape.apply(sigmoid, { x: x! }, null)));

  it('stateDecay', () =>
    check({ x: [4, 3], bias: [3], rate: [3] }, (tape, { x, bias, rate }) =>
      tape.apply(stateDecay, { x: x!, bias: bias!, rate: rate! }, null),
    ));

  it('repeatHeads', () =>
    check({ x: [4, 6] }, (tape, { x }) => tape.apply(repeatHeads, { x: x! }, { heads: 2, count: 3 })));

  it('scaled', () => check({ x: [4, 6] }, (tape, { x }) => tape.apply(scaled, { x: x! }, { factor: 2.5 })));

  it('pickRows, with a repeated row', () =>
    check({ table: [6, 3] }, (tape, { table }) =>
      tape.apply(pickRows, { table: table! }, { rows: tape.graph.values('int64', [4], [5, 0, 5, 2]) }),
    ));

  it.each([[[2, 12]], [[4, 6]]])('reshaped to %j', shape =>
    check({ x: [4, 6] }, (tape, { x }) => tape.apply(reshaped, { x: x! }, { shape })),
  );

  it.each([
    [7, 'with a repeated label', [6, 0, 6, 3]],
    [5000, 'which is computed in chunks', [4999, 0, 2176, 2175]],
  ])('cross-entropy over a vocabulary of %i, %s', (size, _, wanted) =>
    check({ hidden: [4, 5], table: [size, 5] }, (tape, { hidden, table }) => {
      const options = { output: float32Table(table!), labels: tape.graph.values('int64', [4], wanted) };
      return tape.apply(crossEntropy, { hidden: hidden!, table: table! }, options);
    }),
  );

  it.each([64, 3, 1])('cross-entropy over a vocabulary of 7 in parts of %i', rowsAtOnce =>
    check({ hidden: [4, 5], table: [7, 5] }, (tape, { hidden, table }) => {
      const options = { labels: tape.graph.values('int64', [4], [6, 0, 6, 3]), rowsAtOnce };
      return tape.apply(crossEntropyInParts, { hidden: hidden!, table: table! }, options);
    }),
  );

  it.each([
    ['losses', [0.5, -1, 0.7, 1], [0, 0, 0, 0]],
    ['divergences', [0, 0, 0, 0], [1, 0.6, -0.4, 2]],
    ['both', [0.5, -1, 0.7, 1], [1, 0.6, -0.4, 0]],
  ])('the %s of labels with a distribution', (_, ofLosses, ofDivergences) =>
    check({ hidden: [4, 5] }, (tape, { hidden }) => {
      const { graph } = tape;
      const table = graph.values(
        'float32',
        [7, 5],
        Array.from({ length: 35 }, (_, i) => Math.sin(3 * i)),
      );
      const rows = [
        [0.5, 0.2, 0.1, 0.2],
        // Nothing for the rest, nothing for the label, and no distribution.
        [0.7, 0.3, 0, 0],
        [0, 0.6, 0.1, 0.3],
        [0, 0, 0, 0],
      ];
      const certainty = rows.map(row => row.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0));
      const [losses, divergences] = tape.applyAll(
        softCrossEntropy,
        { hidden: hidden! },
        {
          output: float32Table(table),
          labels: graph.values('int64', [4], [6, 0, 6, 3]),
          alternatives: graph.values('int64', [4, 2], [1, 2, 5, 0, 2, 0, 3, 3]),
          shares: graph.values('float32', [4, 4], rows.flat()),
          filling: graph.values(
            'float32',
            [4, 4],
            [0, 0, 0, 0, 0, 0, FILLING, 0, 0, 0, 0, 0, 0, FILLING, FILLING, 0],
          ),
          certainty: graph.values('float32', [4], certainty),
        },
      );
      const weigh = (x: Tensor, values: number[]) =>
        tape.apply(weightedSum, { x }, { weights: graph.values('float32', [4], values) });
      return tape.apply(
        residual,
        { a: weigh(losses!, ofLosses), b: weigh(divergences!, ofDivergences) },
        null,
      );
    }),
  );

  it('a weighted sum', () =>
    check({ x: [4] }, (tape, { x }) => {
      const weights = tape.graph.values('float32', [4], [0.5, 1, -0.25, 0]);
      return tape.apply(weightedSum, { x: x! }, { weights });
    }));

  it.each([0, 0.2])('the preference between answers, with smoothing %d', smoothing =>
    check({ losses: [6] }, (tape, { losses }) => {
      const { graph } = tape;
      const sides = graph.values('float32', [2, 6], [1, 1, 0, -1, 0, 0, 0, 0, 1, 0, -1, -1]);
      const reference = graph.values('float32', [2], [0.7, -1.5]);
      const weights = graph.values('float32', [2], [0.5, 0.25]);
      return tape.apply(preference, { losses: losses! }, { sides, reference, weights, beta: 0.4, smoothing });
    }),
  );

  it.each([0, 0.3])('the policy of sampled answers, with beta %d', beta =>
    check({ losses: [6] }, (tape, { losses }) => {
      const ofLabels = (...values: number[]) => tape.graph.values('float32', [6], values);
      const options = {
        advantages: ofLabels(1.5, 1.5, -0.7, -0.7, 0, 0.4),
        // Of ratios far above 1, far below, and near it.
        before: ofLabels(-2, 1.5, -2, 1.5, 0.3, 0.1),
        known: ofLabels(1, 1, 1, 1, 1, 1),
        reference: ofLabels(0.7, -1.5, 0.2, 0.1, -0.4, 0.5),
        weights: ofLabels(0.5, 0.25, 0.5, 0.25, 1, 0.5),
      };
      return tape.apply(policy, { losses: losses! }, { ...options, epsilon: 0.2, beta });
    }),
  );
});

describe('labels with a distribution', () => {
  it('keep their divergence and its gradient where the model leaves next to nothing for the rest', async () => {
    const graph = new GraphBuilder();
    const tape = new Tape(graph);
    const hidden = tape.watch(graph.input('hidden', 'float32', [1, 3]));
    // The logits are the hidden state itself: e^-40 is nothing beside 1 in float32.
    const table = graph.values('float32', [3, 3], [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const [losses, divergences] = tape.applyAll(
      softCrossEntropy,
      { hidden },
      {
        output: float32Table(table),
        labels: graph.values('int64', [1], [0]),
        alternatives: graph.values('int64', [1, 1], [0]),
        shares: graph.values('float32', [1, 3], [0.75, 0, 0.25]),
        filling: graph.values('float32', [1, 3], [0, FILLING, 0]),
        certainty: graph.values('float32', [1], [0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)]),
      },
    );
    graph.output('divergence', divergences!);
    const weigh = (x: Tensor, weight: number) =>
      tape.apply(weightedSum, { x }, { weights: graph.values('float32', [1], [weight]) });
    const total = tape.apply(residual, { a: weigh(losses!, 0), b: weigh(divergences!, 1) }, null);
    graph.output('gradient', tape.gradients(total).get('hidden')!);
    const session = await createSession(graph);
    onTestFinished(() => session.close());
    const { divergence, gradient } = await session.run({ hidden: Float32Array.of(0, -40, -41) });
    const rest = -40 + Math.log1p(Math.exp(-1));
    const wanted = 0.75 * Math.log(0.75) + 0.25 * (Math.log(0.25) - rest);
    expect(divergence![0]).toBeCloseTo(wanted, 4);
    const first = 1 / (1 + Math.exp(-1));
    for (const [i, slope] of [0.25, -0.25 * first, -0.25 * (1 - first)].entries())
      expect(gradient![i]).toBeCloseTo(slope, 5);
  });
});

describe('a causal convolution', () => {
  /** Two lines of 4 tokens: rows of 3, 1, and 4 tokens. */
  const positions = [0, 1, 2, 0, 0, 1, 2, 3];

  const convolution: Build = (tape, { x, weight }) => {
    const reaches = [1, 2].map(back =>
      tape.graph.values(
        'float32',
        [8, 1],
        positions.map(at => Number(at >= back)),
      ),
    );
    return tape.apply(causalConvolution, { x: x!, weight: weight! }, { reaches });
  };

  it('has the gradient of its inputs and weights', () =>
    check({ x: [8, 3], weight: [3, 1, 3] }, convolution));

  it('sees up to two tokens before, but none of another row', async () => {
    const graph = new GraphBuilder();
    const x = graph.input('x', 'float32', [8, 1]);
    const weight = graph.values('float32', [1, 1, 3], [100, 10, 1]);
    graph.output('y', convolution(new Tape(graph), { x, weight }));
    const session = await createSession(graph);
    onTestFinished(() => session.close());
    const { y } = await session.run({ x: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8) });
    expect([...y!]).toEqual([1, 12, 123, 4, 5, 56, 567, 678]);
  });
});

it('the gradient of parts that are multiplied with each other', () =>
  check({ x: [4, 6] }, (tape, { x }) => {
    const [a, b, c] = tape.applyAll(columns, { x: x! }, { widths: [2, 2, 2] });
    return tape.apply(product, { a: tape.apply(product, { a: a!, b: b! }, null), b: c! }, null);
  }));

describe('the tape', () => {
  it('computes no gradient for tensors that do not depend on anything trainable', () => {
    const graph = new GraphBuilder();
    const tape = new Tape(graph);
    const x = graph.input('x', 'float32', [2, 3]);
    const frozen = graph.input('frozen', 'float32', [3, 3]);
    const trained = tape.watch(graph.input('trained', 'float32', [3, 3]));
    const middle = projectOnce(tape, { x, weight: frozen });
    const output = projectOnce(tape, { x: middle, weight: trained });
    const before = graph.nodes.length;
    const gradients = tape.gradients(output, graph.input('seed', 'float32', [2, 3]));
    const found = ['x', 'frozen', 'trained'].filter(name => gradients.has(name));
    expect(found).toEqual(['trained']);
    expect(graph.nodes.slice(before).map(({ op }) => op)).toEqual(['FusedMatMul']);
  });
});
