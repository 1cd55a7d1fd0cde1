// Routes what the project's code logs through svc, so that it neither breaks the progress line nor mixes with JSON.
import { Console } from 'node:console';
import type { Output } from '../../command.js';
import { toWritable } from '../terminal/to-writable.js';

/** Returns a function that restores the console. */
export function routeConsole(stdout: Output, stderr: Output, isColored: boolean): () => void {
  const own = globalThis.console;
  globalThis.console = new Console({
    stdout: toWritable(stdout),
    stderr: toWritable(stderr),
    colorMode: isColored,
  });
  return () => {
    globalThis.console = own;
  };
}
