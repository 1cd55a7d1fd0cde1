// A folder of models as Ollama keeps them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `name`: with its tag, from Ollama's own library. Returns where the content is. */
export function putInOllama(store: string, name: string, content: Uint8Array): string {
  const digest = 'ab'.repeat(32);
  const layer = { mediaType: 'application/vnd.ollama.image.model', digest: `sha256:${digest}` };
  const manifest = join(store, 'manifests/registry.ollama.ai/library', name.replace(':', '/'));
  const blob = join(store, `blobs/sha256-${digest}`);
  for (const path of [manifest, blob]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(manifest, JSON.stringify({ layers: [layer] }));
  writeFileSync(blob, content);
  return blob;
}
