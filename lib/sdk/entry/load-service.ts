// Loads a built entry into this process and finds its service.
import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { findService, type Service } from '../service.js';

/** Null if the module exports no service. Throws whatever the module throws. */
export async function loadService(path: string): Promise<Service | null> {
  const { mtimeMs } = await stat(path);
  // Modules are cached by URL, so each build needs its own.
  const module = (await import(`${pathToFileURL(path).href}?built=${mtimeMs}`)) as Record<string, unknown>;
  return findService(module);
}
