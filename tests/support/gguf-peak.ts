// How much memory it takes to read a GGUF file, measured in a process that does nothing else.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleTestProgram } from './test-program.js';

interface ReadGguf {
  /** Why it was not read. */
  problem: string | null;
  peakBytes: number;
}

/** `folder` is new. Without a file, only what the process itself takes. */
export async function readGgufApart(...args: [] | [file: string, folder: string]): Promise<ReadGguf> {
  const program = await bundleTestProgram(fileURLToPath(new URL('convert-gguf.ts', import.meta.url)));
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
  return JSON.parse(stdout);
}
