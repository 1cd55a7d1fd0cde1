// Which paths can be files of the browser app. Everything else is treated as API, whether or not the route exists.

/** Plain names separated by single slashes: no escapes, hidden files or `..`, and the first name is not `api`. */
const FILE_PATH = /^\/(?!api(?:\/|$))(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/i;

export function isFilePath(pathname: string): boolean {
  return FILE_PATH.test(pathname);
}
