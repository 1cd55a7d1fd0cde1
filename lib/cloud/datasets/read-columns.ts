// Reads the header that says which columns of an upload training will use.
import {
  ApiError,
  type ColumnMap,
  columnMap,
  DATASET_COLUMNS_HEADER,
  findFault,
} from '../../contract/index.js';

/** Throws `invalid_value` for a header that is no map of columns. */
export function readColumns(header: string | null): ColumnMap | undefined {
  if (header === null) return undefined;
  const value = parse(header);
  const fault = findFault(columnMap, value, `The header ${DATASET_COLUMNS_HEADER}`);
  if (fault) throw new ApiError('invalid_value', fault, { param: DATASET_COLUMNS_HEADER });
  return value as ColumnMap;
}

function parse(header: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(header));
  } catch {
    return null;
  }
}
