// A wrong option in a project's entry: what is wrong with it, and where in the project, instead of a stack.
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OPTION_INVALID } from '../../contract/index.js';

/** `src/svc/index.ts:8:23: createTrainer: …`; null for any other error. The stack may be that of another process. */
export function describeOptionError(thrown: unknown, folder: string): string | null {
  const { code, message, stack } = (thrown ?? {}) as { code?: unknown; message?: string; stack?: string };
  if (code !== OPTION_INVALID) return null;
  const place = findPlace(stack ?? '', folder);
  return place ? `${place}: ${message}` : String(message);
}

const FOREIGN = /[\\/]node_modules[\\/]|[\\/]\.svc[\\/]/;

/** The innermost line of the project's sources. */
function findPlace(stack: string, folder: string): string | null {
  const starts = [...new Set([folder, realpathSync(folder)])].flatMap(path => [
    `${pathToFileURL(path).href}/`,
    path + sep,
  ]);
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line) || FOREIGN.test(line)) continue;
    const start = starts.find(one => line.includes(one));
    if (start) return line.slice(line.indexOf(start) + start.length).replace(/\)$/, '');
  }
  return null;
}
