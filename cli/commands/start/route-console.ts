// Lets what a project's code logs go through us, so that it neither tears the progress line nor lands among JSON.
import { Console } from 'node:console';
import type { Output } from '../../command.js';
import { toWritable } from '../terminal/to-writable.js';

/** Returns how to give the console back. */
export function routeConsole(stdout: Output, stderr: Output, isColoured: boolean): () => void {
  const own = globalThis.console;
  globalThis.console = new Console({
    stdout: toWritable(stdout),
    stderr: toWritable(stderr),
    colorMode: isColoured,
  });
  return () => {
    globalThis.console = own;
  };
}
