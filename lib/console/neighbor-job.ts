// The job before or after one in the list, for keys that leaf through jobs.

export const NO_NEIGHBOR = { [-1]: 'This is the first job.', 1: 'This is the last job.' } as const;

/** Null at the ends of the list, or where the job is not listed. */
export function neighborJob(
  rows: readonly { readonly id: string }[],
  id: string,
  direction: -1 | 1,
): string | null {
  const index = rows.findIndex(row => row.id === id);
  return index < 0 ? null : (rows[index + direction]?.id ?? null);
}

/** The first of the lists that has the job: the one that was shown, or else what else is known. */
export function listWith<Row extends { readonly id: string }>(
  id: string,
  lists: readonly (readonly Row[] | undefined)[],
): readonly Row[] | null {
  return lists.find(rows => rows?.some(row => row.id === id)) ?? null;
}
