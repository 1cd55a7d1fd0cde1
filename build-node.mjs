// `npm run build:node`: the command line and the library into `dist`, with the licenses of what is bundled.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLING } from './bundling.mjs';

const LICENSES = 'dist/third-party-licenses.txt';

/** They share modules: a project's file that imports the library is run by the command line. */
const PROGRAMS = ['cli/bin.ts', 'lib/index.ts', 'lib/vitest/index.ts'];

/** Bundled apart: they run in processes and threads of their own, and what they had in common with the programs was in many files. */
const WORKERS = [
  'lib/engine/worker.ts',
  'lib/engine/run-worker.ts',
  'lib/engine/serve-worker.ts',
  'lib/engine/file-worker.ts',
  'lib/engine/prompt-thread.ts',
  'lib/cloud/store/thread.ts',
];

const built = await Promise.all([PROGRAMS, WORKERS].map(bundle));
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const packages = new Set(inputs.flatMap(path => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []));
writeFileSync(LICENSES, [...packages].sort().map(describeLicense).join('\n\n'));

function bundle(entryPoints) {
  return build({
    ...BUNDLING,
    entryPoints,
    sourcemap: true,
    outbase: '.',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
  });
}

function describeLicense(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(each => /^licen[cs]e/i.test(each));
  if (!file && !(license === 'MIT' && author)) throw new Error(`${name} comes without its license.`);
  const text = file ? readFileSync(join(folder, file), 'utf8') : mitLicenseOf(author.name ?? author);
  return `${name} ${version}\n\n${text.trim()}`;
}

/** For a package that names its license without its text. svc has the same license. */
function mitLicenseOf(author) {
  return readFileSync('LICENSE', 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
}
