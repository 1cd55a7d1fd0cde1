// Whether ONNX Runtime loads. Tested in a child process, because failing native code may crash its process.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TELEMETRY_OFF } from '../../../lib/engine/index.js';
import type { Io } from '../../command.js';
import type { Check } from './check.js';

const probe = `
  const { env, listSupportedBackends } = require('onnxruntime-node');
  const backends = listSupportedBackends().filter(({ bundled }) => bundled).map(({ name }) => name);
  console.log(JSON.stringify({ version: env.versions.node, backends }));
`;

// The probe runs next to this file, so that it finds the package that svc was installed with.
const besideThisFile = import.meta.dirname;
const timeLimit = 30_000;

export async function checkRuntime(env: Io['env'], script = probe): Promise<Check> {
  const name = 'onnx-runtime';
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=commonjs', '--eval', script],
      { cwd: besideThisFile, env: { ...env, ...TELEMETRY_OFF }, timeout: timeLimit },
    );
    const { version, backends } = JSON.parse(stdout);
    return { name, status: 'ok', message: `ONNX Runtime ${version} (${backends.join(', ')})`, hint: null };
  } catch (error) {
    return {
      name,
      status: 'problem',
      message: `ONNX Runtime failed to load: ${toReason(error)}`,
      hint: 'Reinstall svc on this machine. Binaries exist for Linux (glibc), Windows, and macOS on Apple silicon.',
    };
  }
}

function toReason(error: unknown): string {
  const { stderr = '', signal, message } = error as Error & { stderr?: string; signal?: string | null };
  const said = stderr.split('\n').find(line => /^\w*Error\b/.test(line));
  return said ?? (signal ? `its process was killed by ${signal}` : message.split('\n')[0]!);
}
