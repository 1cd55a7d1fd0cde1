// What became of the mutants that were drawn.
import type { MutantResult } from '@stryker-mutator/api/core';
import { placeOf, type ReadLines } from './place.js';

export interface RoomScore {
  commit: string;
  /** Their keys, one after the other. Those that took too long or broke the run itself are among them. */
  killed: string;
  /** All tests passed: from key to place. */
  survived: Record<string, string>;
  /** No test came there: from key to place. */
  notCovered: Record<string, string>;
}

export function toScore(results: MutantResult[], commit: string, read: ReadLines): RoomScore {
  const killed: string[] = [];
  const survived: Record<string, string> = {};
  const notCovered: Record<string, string> = {};
  const seen = new Map<string, number>();
  for (const result of results) {
    if (result.status === 'CompileError') continue;
    const place = placeOf({ ...result, location: fromOne(result.location) }, read);
    const times = (seen.get(place.key) ?? 0) + 1;
    seen.set(place.key, times);
    const key = times > 1 ? `${place.key}-${times}` : place.key;
    if (result.status === 'Survived') survived[key] = place.text;
    else if (result.status === 'NoCoverage') notCovered[key] = place.text;
    else killed.push(key);
  }
  return { commit, killed: killed.sort().join(' '), survived, notCovered };
}

/** Stryker's results count lines and columns from 1, what it hands to plugins from 0. */
function fromOne({ start, end }: MutantResult['location']): MutantResult['location'] {
  const back = ({ line, column }: typeof start) => ({ line: line - 1, column: column - 1 });
  return { start: back(start), end: back(end) };
}

export function countScore(score: RoomScore) {
  const killed = killedOf(score).length;
  const survived = Object.keys(score.survived).length;
  const notCovered = Object.keys(score.notCovered).length;
  const tried = killed + survived + notCovered;
  return { tried, killed, survived, notCovered, percent: ((100 * killed) / tried).toFixed(1) };
}

export function killedOf({ killed }: RoomScore): string[] {
  return killed.split(' ').filter(key => key);
}

export function printScore(name: string, score: RoomScore): void {
  for (const text of Object.values(score.survived)) console.log(`survived    ${text}`);
  for (const text of Object.values(score.notCovered)) console.log(`not covered ${text}`);
  const { killed, survived, notCovered, percent } = countScore(score);
  console.log(`${name}: ${killed} killed, ${survived} survived, ${notCovered} not covered: ${percent}%`);
}
