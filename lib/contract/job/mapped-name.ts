// What a data set is called after a program mapped its rows: the cloud has these, and the user's file is another one. Without
// schemas, so that pages need not load them.

const MAPPED = '.mapped.jsonl';

export const nameMapped = (fileName: string): string => `${fileName}${MAPPED}`;

/** The file whose rows were mapped; null if the data set is a file as the user has it. */
export function readMappedName(name: string): string | null {
  return name.endsWith(MAPPED) && name !== MAPPED ? name.slice(0, -MAPPED.length) : null;
}
