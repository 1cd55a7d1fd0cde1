// Replaces node-forge in the build. listhen can create certificates with it, which svc never does, and loading it would
// delay every server by a tenth of a second.
import { createRequire } from 'node:module';

type Forge = Readonly<Record<string, unknown>>;

const load = createRequire(import.meta.url);

export default new Proxy({} as Forge, {
  get: (_, name: string) => (load('node-forge') as Forge)[name],
});
