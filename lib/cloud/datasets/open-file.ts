// Opens a file to send it. It stays readable when it is deleted meanwhile.
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';

export interface OpenedFile {
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

export async function openFile(path: string): Promise<OpenedFile> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const body = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
    return { bytes: size, body };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
