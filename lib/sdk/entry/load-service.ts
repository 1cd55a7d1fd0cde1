// Loads a built entry into this process, and finds the service in it.
import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { findService, type Service } from '../service.js';

/** Null when the module exports no service. Throws what the module throws. */
export async function loadService(path: string): Promise<Service | null> {
  const { mtimeMs } = await stat(path);
  // A module is loaded once by its address: another build is another address.
  const module = (await import(`${pathToFileURL(path).href}?built=${mtimeMs}`)) as Record<string, unknown>;
  return findService(module);
}
