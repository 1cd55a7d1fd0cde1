// Lists of OpenAI's format, page by page.
import { ApiError } from '../../contract/index.js';

interface Page<Item> {
  object: 'list';
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

/** Of up to `limit` items; one more that was found shows that there is another page. */
export function toPage<Item extends { id: string }>(found: readonly Item[], limit: number): Page<Item> {
  const data = found.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}

export function unknownCursor(after: string): ApiError {
  return new ApiError('invalid_value', `\`after\` names nothing in this list: \`${after.slice(0, 100)}\`.`, {
    param: 'after',
  });
}

/** Unix seconds. */
export function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
