// Runs a quick-start sample as somebody would who pasted it: into a shell, into a file for Node, into one for Python.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../support/patience.js';

const run = promisify(execFile);

/** What the operation answers, as text. */
export async function runCurl(sample: string): Promise<string> {
  if (!(await isThere('curl', ['--version']))) return sendAsCurl(await wordsOf(sample));
  const { stdout } = await run('sh', ['-c', sample], { timeout: PATIENCE_MS });
  return stdout;
}

/** What the sample prints; `folder` has the library. */
export async function runJavaScript(sample: string, folder: string): Promise<string> {
  const file = join(folder, 'sample.mjs');
  await writeFile(file, sample);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, timeout: PATIENCE_MS });
  return stdout;
}

/**
 * What the sample prints. Where Python has no such library, a stand-in sends what the library would; null where there is
 * no Python.
 */
export async function runPython(sample: string, folder: string): Promise<string | null> {
  if (!(await isThere('python3', ['--version']))) return null;
  const file = join(folder, 'sample.py');
  await writeFile(file, sample);
  const hasLibrary = await isThere('python3', ['-c', 'import openai']);
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    ...(!hasLibrary && { PYTHONPATH: join(import.meta.dirname, 'stand-in') }),
  };
  const { stdout } = await run('python3', [file], { cwd: folder, env, timeout: PATIENCE_MS });
  return stdout;
}

async function isThere(program: string, args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

/** What a shell would hand to curl. */
async function wordsOf(sample: string): Promise<string[]> {
  const { stdout } = await run('sh', [
    '-c',
    `curl() { for word; do printf '%s\\0' "$word"; done; }\n${sample}`,
  ]);
  return stdout.split('\0').slice(0, -1);
}

function sendAsCurl(words: string[]): Promise<string> {
  const valuesOf = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1]!] : []));
  const url = new URL(words[0]!);
  const headers = Object.fromEntries(valuesOf('-H').map(line => line.split(': ') as [string, string]));
  return new Promise((resolve, reject) => {
    // Names under localhost are this machine, whatever the resolver says.
    const sent = request(
      { host: '127.0.0.1', port: url.port, path: url.pathname, method: 'POST' },
      answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => resolve(text));
      },
    );
    for (const [name, value] of Object.entries({ ...headers, host: url.host })) sent.setHeader(name, value);
    sent.on('error', reject).end(valuesOf('-d')[0]);
  });
}
