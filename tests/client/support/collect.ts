/** All that comes, told of each as it comes. */
export async function collect<T>(
  stream: AsyncIterable<T>,
  onEach: (item: T) => unknown = () => {},
): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) {
    all.push(item);
    onEach(item);
  }
  return all;
}
