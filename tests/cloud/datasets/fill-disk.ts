// Uploads more than the disk of the uploads folder can hold, then a little. Prints both results and the files left.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openUploadDesk } from '../../../lib/cloud/datasets/receive-upload.js';
import { ApiError } from '../../../lib/contract/index.js';

const uploads = join(process.argv[2]!, 'uploads');
const desk = openUploadDesk(uploads);

async function* rows(count: number) {
  for (let i = 0; i < count; i++) yield Buffer.alloc(64 * 1024, '{"text":"a"}\n');
}

const refusal = await desk.receive(rows(1000), async () => null).catch((error: unknown) => error);
if (!(refusal instanceof ApiError)) throw refusal;
const { code, status, headers } = refusal;
const left = await readdir(uploads);
const after = await desk.receive(rows(1), async ({ bytes }) => ({ bytes }));
process.stdout.write(JSON.stringify({ code, status, headers, left, after }));
