// Finds the known name that a mistyped one most likely means.

/** The closest name, unless more than a third of its letters differ. */
export function suggest(typed: string, names: string[]): string | undefined {
  const [best] = names
    .map(name => ({ name, distance: measureDistance(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.max(typed.length, name.length) / 3)
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** Damerau-Levenshtein: letters added, removed, replaced, or swapped with their neighbor. */
function measureDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
