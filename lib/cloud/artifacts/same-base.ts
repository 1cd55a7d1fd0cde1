/** Whether two digests of base models are known, and are not the same. */
export function isOther(one: string | null, other: string | undefined): boolean {
  return one !== null && other !== undefined && one !== other;
}
