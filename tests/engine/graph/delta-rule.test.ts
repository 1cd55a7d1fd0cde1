// The gated delta rule in chunks, and its gradients, compared with the rule token by token in float64 and with differences
// of that.
import { expect, it, onTestFinished } from 'vitest';
import { chunksOf, deltaRule, GraphBuilder, Tape } from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { createRandom } from '../../support/random.js';

const [HEADS, KEY, VALUE] = [2, 4, 3];
const NAMES = ['q', 'k', 'v', 'beta', 'decay'] as const;
const WIDTHS = { q: HEADS * KEY, k: HEADS * KEY, v: HEADS * VALUE, beta: HEADS, decay: HEADS };

type Values = Record<(typeof NAMES)[number], Float64Array>;

/** Row numbers, line by line. */
type Rows = readonly (readonly number[])[];

function follow(rows: Rows, values: Values): Float64Array {
  const output = new Float64Array(values.v.length);
  let token = 0;
  for (const line of rows) {
    let states = createStates();
    for (const [i, row] of line.entries()) {
      if (i > 0 && line[i - 1] !== row) states = createStates();
      for (const [head, state] of states.entries()) readAndWrite(state, token * HEADS + head, values, output);
      token++;
    }
  }
  return output;
}

/** Of each head: [KEY, VALUE]. */
const createStates = () => Array.from({ length: HEADS }, () => new Float64Array(KEY * VALUE));

/** `at`: which head of which token. */
function readAndWrite(
  state: Float64Array,
  at: number,
  { q, k, v, beta, decay }: Values,
  output: Float64Array,
): void {
  for (let j = 0; j < VALUE; j++) {
    const column = Array.from({ length: KEY }, (_, i) => state[i * VALUE + j]! * Math.exp(decay[at]!));
    const known = column.reduce((sum, value, i) => sum + value * k[at * KEY + i]!, 0);
    const difference = beta[at]! * (v[at * VALUE + j]! - known);
    for (const [i, value] of column.entries()) {
      const changed = value + k[at * KEY + i]! * difference;
      state[i * VALUE + j] = changed;
      output[at * VALUE + j] = output[at * VALUE + j]! + q[at * KEY + i]! * changed;
    }
  }
}

interface Case {
  rows: Rows;
  size: number;
  decay?: (next: () => number) => number;
  /** The keys of a head are the same for all tokens, and everything is written anew. */
  isAlike?: boolean;
}

function draw(tokens: number, { decay = next => -next(), isAlike = false }: Case): Values {
  const random = createRandom(11);
  const of = (width: number, make: () => number) => Float64Array.from({ length: tokens * width }, make);
  const normal = () => random.normal(1)[0]!;
  const drawn = of(WIDTHS.k, normal);
  const k = drawn.map((_, i) => {
    const at = isAlike ? i % WIDTHS.k : i;
    const head = Math.floor(at / KEY) * KEY;
    return drawn[at]! / Math.hypot(...drawn.subarray(head, head + KEY));
  });
  const beta = of(WIDTHS.beta, isAlike ? () => 1 : random.next);
  return {
    q: of(WIDTHS.q, normal),
    k,
    v: of(WIDTHS.v, normal),
    beta,
    decay: of(WIDTHS.decay, () => decay(random.next)),
  };
}

async function compute({ rows, size }: Case, values: Values, mix: Float64Array) {
  const [count, length] = [rows.length, rows[0]!.length];
  const graph = new GraphBuilder();
  const tape = new Tape(graph);
  const inputs = Object.fromEntries(
    NAMES.map(name => [name, tape.watch(graph.input(name, 'float32', ['tokens', WIDTHS[name]]))]),
  ) as Record<keyof Values, ReturnType<typeof graph.input>>;
  const lines = { shape: graph.input('lines', 'int64', [2]), count: 'lines', length: 'length' };
  const chunks = chunksOf(graph, lines, graph.input('rows', 'float32', ['lines', 'length']), {
    size,
    longest: Math.max(...rows.map(({ length }) => length)),
  });
  const output = tape.apply(deltaRule, inputs, { heads: HEADS, chunks });
  const gradients = tape.gradients(output, graph.input('mix', 'float32', ['tokens', WIDTHS.v]));
  graph.output('output', output);
  for (const name of NAMES) graph.output(`by_${name}`, gradients.get(name)!);
  const session = await createSession(graph, { threads: 1 });
  onTestFinished(() => session.close());
  return session.run({
    ...Object.fromEntries(NAMES.map(name => [name, Float32Array.from(values[name])])),
    lines: BigInt64Array.of(BigInt(count), BigInt(length)),
    rows: { values: Float32Array.from(rows.flat()), shape: [count, length] },
    mix: Float32Array.from(mix),
  });
}

/** How the output, mixed, changes when a value moves along a direction. */
function slopeAlong(rows: Rows, values: Values, mix: Float64Array, direction: Partial<Values>): number {
  const step = 1e-5;
  const at = (by: number) => {
    const moved = NAMES.map(name => {
      const along = direction[name];
      return [name, along ? values[name].map((value, i) => value + by * along[i]!) : values[name]];
    });
    return dot(follow(rows, Object.fromEntries(moved) as Values), mix);
  };
  return (at(step) - at(-step)) / (2 * step);
}

const dot = (a: ArrayLike<number> & Iterable<number>, b: ArrayLike<number>) =>
  [...a].reduce((sum, value, i) => sum + value * b[i]!, 0);

const line = (...lengths: number[]) => lengths.flatMap((length, row) => Array<number>(length).fill(row));

it.each<[string, Case]>([
  ['a token', { rows: [[0]], size: 4 }],
  ['fewer tokens than a chunk', { rows: [line(3)], size: 8 }],
  ['whole chunks', { rows: [line(8)], size: 4 }],
  ['chunks of two', { rows: [line(7)], size: 2 }],
  ['lines whose last chunk is not full', { rows: [line(11), line(11)], size: 4 }],
  ['rows that share lines', { rows: [line(4, 1, 8), line(2, 9, 2)], size: 4 }],
  ['padding', { rows: [line(13), [...line(5), ...Array<number>(8).fill(-1)]], size: 4 }],
  ['states that are kept', { rows: [line(20)], size: 8, decay: () => -1e-6 }],
  ['states that are forgotten', { rows: [line(20)], size: 8, decay: next => -60 * next() }],
  ['states that are lost', { rows: [line(20)], size: 8, decay: next => (next() < 0.3 ? -1000 : -0.1) }],
  ['equal keys in a long chunk', { rows: [line(64)], size: 64, decay: () => 0, isAlike: true }],
])('computes %s as one token after another does, and the gradients', async (_, given) => {
  const tokens = given.rows.flat().length;
  const values = draw(tokens, given);
  const random = createRandom(3);
  const drawn = (size: number) => Float64Array.from(random.normal(size));
  const mix = drawn(tokens * WIDTHS.v);
  const results = await compute(given, values, mix);
  const wanted = follow(given.rows, values);
  for (const [i, value] of wanted.entries()) expect(Math.abs(results.output![i]! - value)).toBeLessThan(2e-4);
  for (const name of NAMES) {
    const gradient = results[`by_${name}`]!;
    for (let trial = 0; trial < 5; trial++) {
      const direction = drawn(values[name].length);
      const slope = slopeAlong(given.rows, values, mix, { [name]: direction });
      const scale = Math.max(1, Math.hypot(...gradient) * Math.hypot(...direction));
      expect(Math.abs(dot(gradient, direction) - slope) / scale, name).toBeLessThan(1e-4);
    }
  }
});
