import { describe, expect, it } from 'vitest';
import { chosenIndex, listCommands, moveSelection, neighborOf } from '../../cli/dashboard/core/list.js';

const rows = ['a', 'b', 'c'].map(id => ({ id }));

describe('the selection in a list', () => {
  it('follows its row, and falls back to the first one', () => {
    expect(chosenIndex([{ id: 'new' }, ...rows], 'b')).toBe(2);
    expect(chosenIndex(rows, 'gone')).toBe(0);
    expect(chosenIndex([], 'gone')).toBe(-1);
  });

  it('stops at both ends and scrolls to stay visible', () => {
    const move = (distance: number) => moveSelection({ chosen: 'b', top: 0 }, rows, { distance, height: 2 });
    expect(move(9)).toEqual({ chosen: 'c', top: 1 });
    expect(move(Number.NEGATIVE_INFINITY)).toEqual({ chosen: 'a', top: 0 });
  });

  it('keeps the same state if nothing moves', () => {
    const state = { chosen: 'a', top: 0 };
    expect(moveSelection(state, rows, { distance: -1, height: 2 })).toBe(state);
  });

  it('moves by rows, by pages and to the ends', () => {
    const moved: number[] = [];
    const commands = listCommands(distance => moved.push(distance), 7);
    for (const name of ['previous', 'next', 'pageUp', 'pageDown', 'first', 'last'] as const)
      commands[name]?.();
    expect(moved).toEqual([-1, 1, -7, 7, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });
});

it('wraps around to a neighboring value', () => {
  expect(neighborOf(['x', 'y', 'z'], 'z', 1)).toBe('x');
  expect(neighborOf(['x', 'y', 'z'], 'x', -1)).toBe('z');
});
