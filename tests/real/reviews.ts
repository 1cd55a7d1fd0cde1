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
  'train.jsonl': 'da942fbdf2ad58c009c603df541559743ebdee29dcf06a48492b106fba777f54',
  'held-out.jsonl': 'b22c73e8d272e47509800d515570088e023c65dbbfabaf2f9b1fd385dfb48231',
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
