// The items of a request in the form in which they are stored, with stored items in place of references to them.
import { ApiError, isReference, type ResponseItem, type ResponsesInputItem } from '../../contract/index.js';
import { toResponseItem } from '../answers/response-items.js';
import { type AnswerStorage, requireShelf } from './stored-answers.js';

const MOST_REFERENCES = 1000;

/** `param` is the field that has the items. Throws `item_not_found`. */
export async function resolveItems(
  given: readonly ResponsesInputItem[],
  storage: AnswerStorage,
  param: string,
): Promise<ResponseItem[]> {
  const ids = readReferences(given, param);
  const stored = ids.length === 0 ? null : await requireShelf(storage, param).findItems(ids);
  return given.map((item, i) => {
    if (!isReference(item)) return toResponseItem(item);
    return stored?.get(item.id) ?? missing(item.id, `${param}[${i}].id`);
  });
}

/** Each at most once: a short request could otherwise repeat a long text thousands of times. */
function readReferences(given: readonly ResponsesInputItem[], param: string): string[] {
  const ids = new Set<string>();
  for (const [i, item] of given.entries()) {
    if (!isReference(item)) continue;
    if (ids.has(item.id)) throw repeated(item.id, `${param}[${i}].id`);
    ids.add(item.id);
  }
  if (ids.size > MOST_REFERENCES) throw tooMany(param);
  return [...ids];
}

function repeated(id: string, param: string): ApiError {
  const message = `The item \`${id.slice(0, 100)}\` is referenced twice. Remove one of the references.`;
  return new ApiError('invalid_value', message, { param });
}

function tooMany(param: string): ApiError {
  const message = `A request can reference at most ${MOST_REFERENCES.toLocaleString('en')} stored items. Continue with \`previous_response_id\`.`;
  return new ApiError('invalid_value', message, { param });
}

function missing(id: string, param: string): never {
  throw new ApiError(
    'item_not_found',
    `There is no stored item \`${id.slice(0, 100)}\` here. It may have expired, or its response was created with \`store: false\`.`,
    { param },
  );
}
