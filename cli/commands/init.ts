// svc init [DIR]: creates a project: a trainer, data and the files every project needs. Never overwrites a file.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ENTRY_FILES, makeFolder, toNotWritable } from '../../lib/sdk/index.js';
import { findPackage, isThere, unlessMissing } from '../../lib/system/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { CommandError, type RunCommand } from '../command.js';
import { DEFAULT_TEMPLATE, type ProjectFile, TEMPLATE_PACKAGES, TEMPLATES } from './init/templates.js';
import { shellWord } from './terminal/shell-word.js';

export const run: RunCommand = async ({ positionals, values, screen, answer, io: { cwd } }) => {
  const folder = resolve(cwd, positionals[0] ?? '.');
  const template = String(values.template ?? DEFAULT_TEMPLATE);
  const name = toProjectName(basename(folder));
  const files = await TEMPLATES[template]!(name);
  await refuseToOverwrite(folder, files);
  const packages = TEMPLATE_PACKAGES[template] ?? [];
  const ownPackage = await packageFile(folder, name, packages);
  const written = ownPackage ? [...files, ownPackage] : files;
  for (const file of written) await writeNew(join(folder, file.path), file.content);
  const ignores = await missingIgnores(folder);
  await writing(join(folder, '.gitignore'), path => appendFile(path, ignores));
  const next = await nextSteps(folder, cwd, packages, ownPackage !== null);
  const paths = written.map(({ path }) => path);
  const document = { folder, template, files: paths, ignored: ignores !== '' };
  answer(document, () => renderWritten(folder, written, ignores, screen.style.dim) + next);
};

/** A name for the package and the trainer: lowercase, with hyphens. */
function toProjectName(folder: string): string {
  const plain = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain.slice(0, 60) || 'my-model';
}

/** Also checks entry files with other extensions, since only one entry file is used. */
async function refuseToOverwrite(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const paths = [...new Set([...files.map(({ path }) => path), ...ENTRY_FILES])];
  const there = await Promise.all(paths.map(path => isThere(join(folder, path))));
  const taken = paths.filter((_, index) => there[index]);
  if (taken.length === 0) return;
  const list = taken.map(path => `  ${path}`).join('\n');
  throw new CommandError(
    `These files already exist in ${folder}:\n${list}\nNothing was written. Move them, or choose another folder.`,
  );
}

async function writeNew(path: string, content: string): Promise<void> {
  makeFolder(dirname(path));
  await writing(path, () => writeFile(path, content, { flag: 'wx' }));
}

async function writing(path: string, work: (path: string) => Promise<void>): Promise<void> {
  await work(path).catch(error => {
    throw toNotWritable(error, path);
  });
}

function renderWritten(
  folder: string,
  files: readonly ProjectFile[],
  ignores: string,
  dim: (text: string) => string,
): string {
  const rows = files.map(({ path, note }) => [path, note] as const);
  if (ignores) rows.push(['.gitignore', 'ignores .svc/']);
  const width = Math.max(...rows.map(([path]) => path.length));
  return `Created in ${folder}:\n${rows.map(([path, note]) => `  ${path.padEnd(width)}  ${dim(note)}\n`).join('')}`;
}

async function nextSteps(
  folder: string,
  cwd: string,
  packages: readonly string[],
  isNewPackage: boolean,
): Promise<string> {
  const steps = [
    ...(folder === cwd ? [] : [`cd ${shellWord(relative(cwd, folder))}`]),
    ...(isNewPackage ? ['npm install'] : await installSteps(folder, packages)),
    'npx svc start',
  ];
  return `\nNext:\n${steps.map(step => `  ${step}\n`).join('')}`;
}

/** A new package.json; null if the project has one. */
async function packageFile(
  folder: string,
  name: string,
  packages: readonly string[],
): Promise<ProjectFile | null> {
  if ((await readText(join(folder, 'package.json'))) !== null) return null;
  const forTests = versionsOf(packages, packageJson.devDependencies);
  const content = {
    name,
    private: true,
    type: 'module',
    dependencies: { [OWN_NAME]: ownSpecifier(folder), ...versionsOf(packages, packageJson.dependencies) },
    ...(Object.keys(forTests).length > 0 && { devDependencies: forTests }),
  };
  return {
    path: 'package.json',
    content: `${JSON.stringify(content, null, 2)}\n`,
    note: `depends on ${[OWN_NAME, ...packages].join(', ').replace(/, (?=[^,]*$)/, ' and ')}`,
  };
}

/** The commands that install what a project's package.json does not depend on. */
async function installSteps(folder: string, packages: readonly string[]): Promise<string[]> {
  const text = (await readText(join(folder, 'package.json'))) ?? '';
  const isMissing = (name: string) => !new RegExp(`"${name}"\\s*:`).test(text);
  const missing = (known: Versions) =>
    Object.entries(versionsOf(packages.filter(isMissing), known)).map(
      ([name, version]) => `${name}@${version}`,
    );
  const usual = [
    ...(isMissing(OWN_NAME) ? [ownSpecifier(folder)] : []),
    ...missing(packageJson.dependencies),
  ];
  const forTests = missing(packageJson.devDependencies);
  return [
    ...(usual.length > 0 ? [`npm install ${usual.join(' ')}`] : []),
    ...(forTests.length > 0 ? [`npm install --save-dev ${forTests.join(' ')}`] : []),
  ];
}

type Versions = Readonly<Record<string, string>>;

/** The versions that this package uses itself, of those that it uses for the same. */
function versionsOf(packages: readonly string[], known: Versions): Record<string, string> {
  return Object.fromEntries(packages.flatMap(name => (known[name] ? [[name, known[name]]] : [])));
}

/** The lines to append to .gitignore; empty if none are missing. */
async function missingIgnores(folder: string): Promise<string> {
  const text = await readText(join(folder, '.gitignore'));
  if (text === null) return 'node_modules/\n.svc/\n';
  if (/^\/?\.svc\/?\s*$/m.test(text)) return '';
  return `${text === '' || text.endsWith('\n') ? '' : '\n'}.svc/\n`;
}

const readText = (path: string) => unlessMissing(readFile(path, 'utf8'), null);

const OWN_NAME = packageJson.name;

/**
 * A dependency on this package as a path, `file:../…`, relative to the project's folder, because it is not on
 * a registry under its name.
 */
function ownSpecifier(folder: string): string {
  return `file:${relative(folder, findPackage()).split(sep).join('/')}`;
}
