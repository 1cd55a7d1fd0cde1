// Works through a list with so many at once, as clients of a busy service do.

/** The results, in the order of the items. */
export async function mapSomeAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const workThrough = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workThrough));
  return results;
}
