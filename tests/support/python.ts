// A Python with certain packages, where one is on the machine.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** `SVC_PYTHON` or the one in the path, and the system's own, which has what the system's packages bring. */
const PYTHONS = [process.env.SVC_PYTHON ?? 'python3', '/usr/bin/python3'];

/** Null where there is none. */
export async function findPython(...packages: string[]): Promise<string | null> {
  for (const python of PYTHONS) {
    const found = await promisify(execFile)(python, ['-c', `import ${packages.join(', ')}`]).then(
      () => true,
      () => false,
    );
    if (found) return python;
  }
  return null;
}
