// How a program is bundled: what every command loads first is in its files, since loading many small files is what a start
// takes longest for; other packages are loaded from where npm has put them.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { throughDoors } from './doors.mjs';
import { correctInk } from './ink-corrections.mjs';

/** Bundled with all that they import. */
const BUNDLED = new Set([
  ...['h3', 'listhen', 'zod', 'eventsource', 'eventsource-parser', 'jose', 'openid-client', 'string-width'],
  ...['kysely', 'modern-tar', 'hyparquet', '@huggingface/jinja', '@huggingface/tokenizers'],
  ...['ink', 'ink-text-input', 'react', 'asciichart'],
]);

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

/** The first segmenter of a process takes 10 ms. consola, which listhen logs with, and string-width made it as they were loaded. */
const segmentersOnDemand = {
  name: 'segmenters-on-demand',
  setup({ onLoad }) {
    onLoad({ filter: /(consola[\\/]dist[\\/]index\.mjs|string-width[\\/]index\.js)$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const onDemand =
        '{ segment(text) { return (this.made ??= new globalThis.Intl.Segmenter()).segment(text); } }';
      const corrected = source.replace('new Intl.Segmenter()', onDemand);
      if (corrected === source) throw new Error(`${path} has changed: see whether it still needs this.`);
      return { contents: corrected };
    });
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

/** Options of esbuild. */
export const BUNDLING = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [choosePackages, throughDoors, segmentersOnDemand, correctedInk],
  // Ink loads it if `DEV` is set, which the dashboard never lets it see.
  external: ['react-devtools-core'],
  logLevel: 'warning',
};
