// Numbers to calculate with. A problem is held out in every way to ask it: 7 + 12 is also 12 + 7.
import type { Draw } from '../../draw.js';

interface Problem {
  a: number;
  b: number;
  result: number;
}

export type Operation = 'plus' | 'minus' | 'times' | 'parts';

/** A problem of this part; no number in it is below `least`. */
export function drawProblem(draw: Draw, operation: Operation, least = 0): Problem {
  const key = draw.value(() => makeKey(draw, operation, least));
  const [low, high] = key.split(/[+x]/).map(Number) as [number, number];
  const isTurned = draw.chance(0.5);
  const [a, b] = isTurned ? [low, high] : [high, low];
  if (operation === 'plus') return { a, b, result: a + b };
  if (operation === 'times') return { a, b, result: a * b };
  if (operation === 'minus') return { a: low + high, b, result: a };
  return { a: low * high, b, result: a };
}

/** "7+12" for addition and subtraction, "3x4" for multiplication and division, the smaller number first. */
function makeKey(draw: Draw, operation: Operation, least: number): string {
  const isSum = operation === 'plus' || operation === 'minus';
  const numbers = isSum
    ? drawTerms(draw, least)
    : drawFactors(draw, operation === 'parts' ? Math.max(least, 1) : least);
  return numbers.sort((a, b) => a - b).join(isSum ? '+' : 'x');
}

/** Usually small numbers. */
function drawTerms(draw: Draw, least: number): number[] {
  const high = draw.pick([10, 10, 20, 20, 50, 90]);
  return [draw.integer(least, high), draw.integer(least, draw.chance(0.4) ? Math.min(high, 10) : high)];
}

const drawFactors = (draw: Draw, least: number) => [draw.integer(least, 12), draw.integer(least, 10)];

/** Two different numbers. */
export function drawPair(draw: Draw): [number, number] {
  const key = draw.value(() => {
    const high = draw.pick([20, 100, 100, 1000]);
    const low = draw.integer(0, high - 1);
    return `${low}<${draw.integer(low + 1, high)}`;
  });
  const [low, high] = key.split('<').map(Number) as [number, number];
  return draw.chance(0.5) ? [low, high] : [high, low];
}

/** A number to double. It counts as the times-table problem. */
export function drawDouble(draw: Draw): Problem {
  const a = Number(draw.value(() => `2x${draw.integer(2, 60)}`).slice(2));
  return { a, b: 2, result: 2 * a };
}

/** Three numbers to add, or to subtract the last. */
export function drawThree(draw: Draw): {
  numbers: [number, number, number];
  isLess: boolean;
  result: number;
} {
  const key = draw.value(() => {
    const [a, b] = [draw.integer(1, 20), draw.integer(1, 20)];
    const isLess = draw.chance(0.4);
    return `${a}+${b}${isLess ? '-' : '+'}${draw.integer(1, isLess ? Math.min(20, a + b) : 20)}`;
  });
  const numbers = key.split(/[+-]/).map(Number) as [number, number, number];
  const isLess = key.includes('-');
  return { numbers, isLess, result: numbers[0] + numbers[1] + (isLess ? -numbers[2] : numbers[2]) };
}

/** Four numbers with equal steps between, and the one that comes next. */
export function drawSequence(draw: Draw): { numbers: number[]; result: number } {
  const key = draw.value(() => `${draw.integer(0, 40)},${draw.pick([1, 2, 2, 3, 4, 5, 5, 10, 10])}`);
  const [start, step] = key.split(',').map(Number) as [number, number];
  const all = Array.from({ length: 5 }, (_, i) => start + step * i);
  return { numbers: all.slice(0, 4), result: all[4]! };
}
