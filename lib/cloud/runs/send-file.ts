// Sends a file with its digest, from the byte on that the request asks for, so that an interrupted download goes on.
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ApiError, DIGEST_HEADER } from '../../contract/index.js';

interface SentFile {
  path: string;
  sha256: string;
}

export async function sendFile(request: Request, { path, sha256 }: SentFile): Promise<Response> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const start = readStart(request, size);
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(size - start),
      [DIGEST_HEADER]: sha256,
      ...(start > 0 && { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
    };
    const body = Readable.toWeb(handle.createReadStream({ start })) as ReadableStream<Uint8Array>;
    return new Response(body, { status: start > 0 ? 206 : 200, headers });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Other kinds of ranges get the whole file, as HTTP allows. */
function readStart(request: Request, size: number): number {
  const asked = /^bytes=(\d{1,15})-$/.exec(request.headers.get('range') ?? '')?.[1];
  const start = asked === undefined ? 0 : Number(asked);
  if (start === 0 || start < size) return start;
  throw new ApiError('invalid_value', `The file has ${size} bytes, so it cannot be sent from byte ${start}.`);
}
