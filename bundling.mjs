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

const LETTERS = join(import.meta.dirname, 'lib/console/text/letters.ts').replaceAll('\\', '/');

/** The first segmenter of a process takes 10 ms to make, the list of all emoji 15 to read. */
const readLetters = source =>
  `import { graphemesOf as segment } from '${LETTERS}';` +
  source
    .replace(/new Intl\.Segmenter\([^)]*\)/, '{ segment }')
    .replace(
      /rgiEmojiRegex = (.*);/,
      'rgiEmojiRegex = { test(text) { return (this.made ??= $1).test(text); } };',
    );

/** Of its two builds, the other was half of the dashboard's code. */
const chooseProduction = source => source.replaceAll('process.env.NODE_ENV', "'production'");

/** What the file itself has was fetched, for which Node loads its HTTP client. */
const readOwnBytes = source => source.replaceAll('"function"!=typeof fetch', 'true');

/** What packages did as they were loaded took a fifth of a start. */
const CORRECTIONS = [
  [/consola\/dist\/index\.mjs$/, readLetters],
  [/(string-width\/index|slice-ansi\/tokenize-ansi|ansi-tokenize\/build\/tokenize)\.js$/, readLetters],
  [
    /(react\/(index|jsx-runtime)|react-reconciler\/(index|constants)|scheduler\/index)\.js$/,
    chooseProduction,
  ],
  [/yoga-wasm-base64-esm\.js$/, readOwnBytes],
];

const corrections = {
  name: 'corrections',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules/ }, ({ path }) => {
      const [, correct] = CORRECTIONS.find(([file]) => file.test(path.replaceAll('\\', '/'))) ?? [];
      if (!correct) return null;
      const source = readFileSync(path, 'utf8');
      const contents = correct(source);
      if (contents === source) throw new Error(`${path} has changed: see whether it still needs this.`);
      return { contents };
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
  plugins: [choosePackages, throughDoors, corrections, correctedInk],
  // Ink loads it if `DEV` is set, which the dashboard never lets it see.
  external: ['react-devtools-core'],
  logLevel: 'warning',
};
