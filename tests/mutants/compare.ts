// Which mutants the tests noticed before, and no longer do.
import { killedOf, type RoomScore } from './score.js';

export interface Comparison {
  /** Killed before, and not now. */
  lost: string[];
  /** Killed now, and not before. */
  gained: string[];
  /** How many only the one or the other run tried, as the code around them changed. */
  onlyBefore: number;
  onlyNow: number;
}

export function compare(before: RoomScore, now: RoomScore): Comparison {
  const [keysBefore, keysNow] = [before, now].map(
    score => new Set([...killedOf(score), ...Object.keys(aliveIn(score))]),
  );
  return {
    lost: killedOnlyIn(before, now),
    gained: killedOnlyIn(now, before),
    onlyBefore: [...keysBefore!].filter(key => !keysNow!.has(key)).length,
    onlyNow: [...keysNow!].filter(key => !keysBefore!.has(key)).length,
  };
}

function killedOnlyIn(one: RoomScore, other: RoomScore): string[] {
  const killed = new Set(killedOf(one));
  return Object.entries(aliveIn(other)).flatMap(([key, text]) => (killed.has(key) ? [text] : []));
}

function aliveIn({ survived, notCovered }: RoomScore): Record<string, string> {
  return { ...survived, ...notCovered };
}

export function printComparison({ lost, gained, onlyBefore, onlyNow }: Comparison): void {
  for (const text of gained) console.log(`gained ${text}`);
  for (const text of lost) console.log(`lost   ${text}`);
  console.log(
    `${lost.length} lost, ${gained.length} gained; ${onlyBefore} tried only before, ${onlyNow} only now.`,
  );
}
