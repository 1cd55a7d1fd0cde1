// Which addresses can be files of the browser app. Everything else belongs to the API, whether it has such a route or not.

/** Plain names between single slashes: nothing escaped, nothing hidden, no way up, and no first name `api`. */
const FILE_PATH = /^\/(?!api(?:\/|$))(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/i;

export function isFilePath(pathname: string): boolean {
  return FILE_PATH.test(pathname);
}
