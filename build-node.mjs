// `npm run build:node`: the command line and the library into `dist`. What every command loads first is bundled with it, since
// loading many small files is what a start takes longest for; other packages are loaded from where npm has put them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { correctInk } from './ink-corrections.mjs';

/** Bundled with all that they import. */
const BUNDLED = new Set([
  ...['h3', 'listhen', 'zod', 'eventsource', 'eventsource-parser', 'jose', 'openid-client', 'string-width'],
  ...['kysely', 'modern-tar', 'hyparquet', '@huggingface/jinja', '@huggingface/tokenizers'],
  ...['ink', 'ink-text-input', 'react', 'asciichart'],
]);
const LICENSES = 'dist/third-party-licenses.txt';

const isPath = specifier => /^[./]|^node:/.test(specifier);
const nameOf = specifier => specifier.match(/^(@[^/]+\/)?[^/]+/)[0];
const isOwn = importer => !importer.includes('/node_modules/');

/** Packages are external, except for those to bundle. What they import on demand, svc never demands. */
const choosePackages = {
  name: 'choose-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point' || isPath(path)) return null;
      if (kind === 'require-call' && isBuiltin(path)) return { path, namespace: 'builtin' };
      if (nameOf(path) === 'node-forge')
        return { path: join(import.meta.dirname, 'lib/http/forge-on-demand.ts') };
      if (isOwn(importer) ? BUNDLED.has(nameOf(path)) : kind !== 'dynamic-import') return null;
      return { path, external: true };
    });
    // A package in CommonJS gets Node's modules as the rest does.
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `export * from 'node:${path}';`,
    }));
  },
};

const correctedInk = {
  name: 'corrected-ink',
  setup({ onLoad }) {
    onLoad({ filter: /ink[\\/]build[\\/][\w-]+\.js$/ }, ({ path }) => ({
      contents: correctInk(path, readFileSync(path, 'utf8')),
    }));
  },
};

const { metafile } = await build({
  entryPoints: [
    'cli/bin.ts',
    'lib/index.ts',
    'lib/engine/worker.ts',
    'lib/engine/run-worker.ts',
    'lib/engine/serve-worker.ts',
    'lib/engine/file-worker.ts',
    'lib/engine/prompt-thread.ts',
    'lib/cloud/store/thread.ts',
  ],
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [choosePackages, correctedInk],
  // Ink loads it if `DEV` is set, which the dashboard never lets it see.
  external: ['react-devtools-core'],
  sourcemap: true,
  outbase: '.',
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  metafile: true,
});

const packages = new Set(
  Object.keys(metafile.inputs).flatMap(path => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []),
);
writeFileSync(LICENSES, [...packages].sort().map(describeLicense).join('\n\n'));

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
