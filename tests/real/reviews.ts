// The script of examples/reviews, which fetches the package with the reviews: it makes the same rows everywhere. The model
// is there already.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../support/repository-root.js';

const DIGESTS: Readonly<Record<string, string>> = {
  'train.jsonl': '220bb2ea9a556e5550af1a8453cf1a577db4ca1ab579311cd9ec6636f386b382',
  'held-out.jsonl': '4c1d77f3bf30e99ddaf24744f3e3fd2af428d22b4cba7af0bcedd766501aefb3',
};

/** Returns what is wrong. */
export async function checkReviews(modelFile: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-reviews-'));
  try {
    await cp(join(repositoryRoot, 'examples', 'reviews', 'fetch.mjs'), join(folder, 'fetch.mjs'));
    await symlink(modelFile, join(folder, 'smollm2.gguf'));
    await promisify(execFile)(process.execPath, ['fetch.mjs'], { cwd: folder });
    const faults: string[] = [];
    for (const [name, wanted] of Object.entries(DIGESTS)) {
      const digest = createHash('sha256');
      const found = digest.update(await readFile(join(folder, 'data', name))).digest('hex');
      if (found !== wanted) faults.push(`examples/reviews: ${name} has the SHA-256 ${found}, not ${wanted}`);
    }
    return faults;
  } finally {
    await rm(folder, { recursive: true });
  }
}
