/** Whether two base model digests are both known and differ. */
export function isOther(one: string | null, other: string | undefined): boolean {
  return one !== null && other !== undefined && one !== other;
}
