// The items of a request in the form in which they are stored, with stored items in place of references to them.
import { ApiError, isReference, type ResponseItem, type ResponsesInputItem } from '../../contract/index.js';
import { toResponseItem } from '../answers/response-items.js';
import { type AnswerStorage, requireShelf } from './stored-answers.js';

/** `param` is the field that has the items. Throws `item_not_found`. */
export async function resolveItems(
  given: readonly ResponsesInputItem[],
  storage: AnswerStorage,
  param: string,
): Promise<ResponseItem[]> {
  const ids = new Set(given.filter(isReference).map(({ id }) => id));
  const stored = ids.size === 0 ? null : await requireShelf(storage, param).findItems([...ids]);
  return given.map((item, i) => {
    if (!isReference(item)) return toResponseItem(item);
    return stored?.get(item.id) ?? missing(item.id, `${param}[${i}].id`);
  });
}

function missing(id: string, param: string): never {
  throw new ApiError(
    'item_not_found',
    `There is no stored item \`${id.slice(0, 100)}\` here. It may have expired, or its response was created with \`store: false\`.`,
    { param },
  );
}
