// Reads the data files: sentences, word lists and other texts, under the names that the code gives them.

/** A text, a list of these, or a group of these by name. */
type Texts = string | readonly Texts[] | { readonly [name: string]: Texts };

type Frozen<T> = T extends string ? T : { readonly [K in keyof T]: Frozen<T[K]> };

/** The content of a data file. Throws if it holds anything but texts, lists and groups. */
export function readTexts<T>(data: T): Frozen<T> {
  check(data, 'The file');
  return data as Frozen<T>;
}

function check(data: unknown, where: string): asserts data is Texts {
  if (typeof data === 'string') return;
  if (typeof data !== 'object' || data === null)
    throw new Error(`${where} must be a text, a list or a group, not ${data}.`);
  for (const [name, entry] of Object.entries(data)) check(entry, name);
}
