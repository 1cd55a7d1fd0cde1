// A chain of states, in a loop and with all steps at once, compared with the same in float64.
import { describe, expect, it } from 'vitest';
import { GraphBuilder, type Tensor } from '../../../lib/engine/graph/index.js';
import { chain, chainAtOnce } from '../../../lib/engine/graph/states.js';
import { compute } from '../../../lib/engine/runtime/index.js';
import { createRandom } from '../../support/random.js';

const [LINES, INNER, ROWS, COLUMNS] = [2, 3, 4, 5];
const SHAPES = {
  factor: [LINES, 1, 1],
  left: [LINES, INNER, ROWS],
  right: [LINES, INNER, ROWS],
  update: [LINES, ROWS, COLUMNS],
} as const;

type Name = keyof typeof SHAPES;
const NAMES = Object.keys(SHAPES) as Name[];
const sizeOf = (name: Name) => SHAPES[name].reduce<number>((product, length) => product * length, 1);

type Values = Record<Name, Float32Array>;

function draw(steps: number): Values {
  const random = createRandom(5);
  const of = (name: Name) => Float32Array.from({ length: steps * sizeOf(name) }, () => random.next() - 0.5);
  return Object.fromEntries(NAMES.map(name => [name, of(name)])) as Values;
}

/** In the order of the steps, and the one after them. */
function follow(values: Values, order: readonly number[]): number[][] {
  const states = [Array<number>(LINES * ROWS * COLUMNS).fill(0)];
  for (const step of order) {
    const before = states.at(-1)!;
    const at = (name: Name, i: number) => values[name][step * sizeOf(name) + i]!;
    const stateAt = (line: number, row: number, column: number) =>
      before[(line * ROWS + row) * COLUMNS + column]!;
    const next = before.map((value, i) => {
      const [line, row, column] = [
        Math.floor(i / (ROWS * COLUMNS)),
        Math.floor(i / COLUMNS) % ROWS,
        i % COLUMNS,
      ];
      let through = 0;
      for (let j = 0; j < INNER; j++)
        for (let other = 0; other < ROWS; other++)
          through +=
            at('left', (line * INNER + j) * ROWS + row) *
            at('right', (line * INNER + j) * ROWS + other) *
            stateAt(line, other, column);
      return at('factor', line) * value - through + at('update', i);
    });
    states.push(next);
  }
  return states;
}

type Build = (graph: GraphBuilder, given: Record<Name, Tensor>) => Readonly<Record<string, Tensor>>;

function run(values: Values, build: Build) {
  const graph = new GraphBuilder();
  const inputOf = (name: Name) => graph.input(name, 'float32', ['steps', ...SHAPES[name]]);
  const given = Object.fromEntries(NAMES.map(name => [name, inputOf(name)])) as Record<Name, Tensor>;
  for (const [name, tensor] of Object.entries(build(graph, given))) graph.output(name, tensor);
  return compute(graph, values);
}

function expectClose(found: Float32Array | undefined, right: readonly number[]): void {
  expect(found).toHaveLength(right.length);
  for (const [i, value] of right.entries()) expect(found![i]).toBeCloseTo(value, 5);
}

describe.each([false, true])('in reverse: %s', reverse => {
  it.each([1, 2, 3, 4, 7, 9])('%i steps', async steps => {
    const values = draw(steps);
    const order = reverse ? [...Array(steps).keys()].reverse() : [...Array(steps).keys()];
    const states = follow(values, order);
    const before = Array.from({ length: steps }, (_, step) => states[order.indexOf(step)]!).flat();
    const inLoop = await run(values, (graph, given) => ({ before: chain(graph, given, { reverse }) }));
    expectClose(inLoop.before, before);
    for (const most of [steps, steps + 6]) {
      const atOnce = await run(values, (graph, given) => chainAtOnce(graph, given, { reverse, most }));
      expectClose(atOnce.before, before);
      expectClose(atOnce.last, states.at(-1)!);
    }
  });
});
