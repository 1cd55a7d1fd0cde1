import type { RewardFunction } from 'svc';

/** One fifth for the form, the rest for the count; a count that is nearly right is worth more than one that is far off. */
export const judge: RewardFunction = (answer, { row }) => {
  const count = readCount(answer);
  const form = count === undefined ? 0 : 1;
  const near = count === undefined ? 0 : Math.max(0, 1 - Math.abs(count - row.count) / 4);
  const right = count === row.count ? 1 : 0;
  return { reward: 0.2 * form + 0.3 * near + 0.5 * right, parts: { form, near, right } };
};

/** The count of an answer such as {"count": 3}; undefined if it is anything else. */
export function readCount(answer: string): number | undefined {
  try {
    const { count, ...others } = JSON.parse(answer);
    return typeof count === 'number' && Object.keys(others).length === 0 ? count : undefined;
  } catch {
    return undefined;
  }
}
