// The import law: which rooms there are, what each may import, and through which door it is entered.
// The table is the law; what follows it is pure and judges any list of files, so tests can show it a broken tree.
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Reference, readSource, type SourceFile } from './source.js';

interface Room {
  /** A folder (`lib/contract/`), the files directly in one (`cli/*`), or one file. The longest match wins. */
  at: string;
  /** The rooms it may enter through their doors; `client/**` means through any file of that room. */
  imports: string[];
  /** Rooms that it may only name by `new URL(…, import.meta.url)`, to start them as processes. */
  starts?: string[];
  packages: string[];
  /** Whether Node's own modules may be used; rooms without them run in the browser. */
  node: boolean;
  /** The files through which others come in: `index.ts` of a folder, or the one file, unless said otherwise. */
  doors?: string[];
}

const faces = ['contract', 'client', 'console'];
const libRooms = [...faces, 'client/node', 'http', 'sdk', 'studio', 'cloud', 'engine'];
const engineParts = ['random', 'graph', 'onnx', 'runtime', 'model', 'text', 'weights'].map(
  part => `engine/${part}`,
);
const cliDoors = [
  'command',
  'command-error',
  'exit-code',
  'help',
  'lookup',
  'own-name',
  'print',
  'style',
  'suggest',
].map(file => `cli/${file}.ts`);
const ink = ['ink', 'react', 'ink-text-input', 'asciichart'];
const viteTools = ['vite', '@vitejs/plugin-vue'];

// biome-ignore format: one room, one line
export const rooms: Record<string, Room> = {
  contract:        { at: 'lib/contract/', imports: [], packages: ['zod'], node: false },
  client:          { at: 'lib/client/', imports: ['contract', 'system/doubled'], packages: ['eventsource-parser'], node: false },
  'client/node':   { at: 'lib/client/node.ts', imports: ['contract', 'client/**', 'client/fetch'], packages: ['eventsource-parser', 'eventsource'], node: false },
  'client/fetch':  { at: 'lib/client/patient-fetch.ts', imports: ['client/**'], packages: [], node: true },
  console:         { at: 'lib/console/', imports: ['contract', 'client', 'console/safe-text', 'console/identity-line'], packages: ['string-width'], node: false },
  'console/safe-text': { at: 'lib/console/safe-text.ts', imports: [], packages: [], node: false },
  'console/identity-line': { at: 'lib/console/identity-line.ts', imports: ['contract'], packages: [], node: false },
  http:            { at: 'lib/http/', imports: ['contract'], packages: ['h3', 'listhen'], node: true },
  sdk:             { at: 'lib/sdk/', imports: ['system', 'contract', 'client', 'client/node', 'engine/data'], packages: ['esbuild', 'openid-client'], node: true, doors: ['lib/sdk/index.ts', 'lib/sdk/public.ts', 'lib/sdk/local-cloud/index.ts'] },
  studio:          { at: 'lib/studio/', imports: ['system', 'contract', 'client', 'sdk', 'http'], packages: [], node: true },
  cloud:           { at: 'lib/cloud/', imports: ['system', 'tar', 'contract', 'http', 'engine', 'cloud/sqlite', 'cloud/ray'], starts: ['engine/worker', 'engine/file-worker', 'cloud/thread'], packages: ['kysely', 'jose'], node: true },
  'cloud/ray':     { at: 'lib/cloud/ray/', imports: ['contract', 'engine', 'cloud/**'], packages: ['zod'], node: true },
  'cloud/sqlite':  { at: 'lib/cloud/store/sqlite.ts', imports: [], packages: ['libsql'], node: true },
  'cloud/thread':  { at: 'lib/cloud/store/thread.ts', imports: ['cloud/**'], packages: [], node: true },

  clock:           { at: 'lib/clock/', imports: [], packages: [], node: false },
  'system/doubled': { at: 'lib/system/doubled.ts', imports: [], packages: [], node: false },
  tar:             { at: 'lib/tar/', imports: [], packages: ['modern-tar'], node: true },
  system:          { at: 'lib/system/', imports: ['system/doubled'], packages: [], node: true },
  engine:          { at: 'lib/engine/index.ts', imports: ['engine/process', 'engine/generate', 'engine/int8', 'engine/model', 'engine/data', 'engine/hub', 'engine/environment', 'engine/files', 'engine/engine-error', 'engine/layout', 'engine/text', 'engine/train', 'engine/weights', 'engine/export'], packages: [], node: true },
  'engine/process': { at: 'lib/engine/process/', imports: ['system', 'engine/train', 'engine/generate', 'engine/int8', 'engine/structure', 'engine/text', 'engine/environment', 'engine/engine-error'], packages: [], node: true, doors: ['lib/engine/process/index.ts', 'lib/engine/process/messages.ts', 'lib/engine/process/heartbeat.ts'] },
  'engine/tasks':  { at: 'lib/engine/tasks/', imports: ['system', 'contract', 'engine/process', ...engineParts, 'engine/structure', 'engine/train', 'engine/generate', 'engine/engine-error', 'engine/layout', 'engine/environment'], packages: [], node: true, doors: ['lib/engine/tasks/train-task.ts', 'lib/engine/tasks/run-file.ts', 'lib/engine/tasks/event-window.ts', 'lib/engine/tasks/serve-task.ts', 'lib/engine/tasks/serve-prompts.ts'] },
  'engine/run-worker': { at: 'lib/engine/run-worker.ts', imports: ['engine/tasks'], packages: [], node: true },
  'engine/serve-worker': { at: 'lib/engine/serve-worker.ts', imports: ['engine/process', 'engine/tasks'], packages: [], node: true },
  'engine/worker': { at: 'lib/engine/worker.ts', imports: ['engine/process', 'engine/tasks'], packages: [], node: true },
  'engine/prompt-thread': { at: 'lib/engine/prompt-thread.ts', imports: ['engine/tasks'], packages: [], node: true },
  'engine/files': { at: 'lib/engine/files/', imports: ['system', 'engine/process', 'engine/data', 'engine/train', 'engine/weights', 'engine/model', 'engine/layout', 'engine/text', 'engine/generate', 'engine/engine-error'], packages: [], node: true, doors: ['index', 'serialize-error', 'messages', 'work'].map(file => `lib/engine/files/${file}.ts`) },
  'engine/export': { at: 'lib/engine/export/', imports: ['system', 'engine/model', 'engine/weights'], packages: [], node: true },
  'engine/file-worker': { at: 'lib/engine/file-worker.ts', imports: ['engine/files', 'engine/process'], packages: [], node: true },
  'engine/random': { at: 'lib/engine/random.ts', imports: [], packages: [], node: true },
  'engine/graph':  { at: 'lib/engine/graph/', imports: [], packages: [], node: true },
  'engine/text':   { at: 'lib/engine/text/', imports: [], packages: ['@huggingface/tokenizers', '@huggingface/jinja'], node: true, doors: ['lib/engine/text/index.ts', 'lib/engine/text/row-formats.ts', 'lib/engine/text/preference-rows.ts', 'lib/engine/text/errors.ts', 'lib/engine/text/lower-bound.ts'] },
  'engine/weights':{ at: 'lib/engine/weights/', imports: ['system', 'engine/layout'], packages: [], node: true },
  'engine/onnx':   { at: 'lib/engine/onnx/', imports: ['engine/graph'], packages: [], node: true },
  'engine/model':  { at: 'lib/engine/model/', imports: ['engine/graph', 'engine/weights', 'engine/layout'], packages: [], node: true },
  'engine/int8':   { at: 'lib/engine/int8/', imports: ['system', 'engine/graph', 'engine/weights', 'engine/model'], packages: [], node: true },
  'engine/runtime':{ at: 'lib/engine/runtime/', imports: ['engine/graph', 'engine/onnx', 'engine/int8', 'engine/runtime/load', 'engine/environment'], packages: [], node: true },
  'engine/runtime/load': { at: 'lib/engine/runtime/load.ts', imports: ['engine/environment'], packages: ['onnxruntime-node'], node: true },
  'engine/engine-error': { at: 'lib/engine/engine-error.ts', imports: [], packages: [], node: true },
  'engine/layout': { at: 'lib/engine/run-layout.ts', imports: [], packages: [], node: true },
  'engine/environment': { at: 'lib/engine/environment.ts', imports: [], packages: [], node: true },
  'engine/train':  { at: 'lib/engine/train/', imports: [...engineParts, 'engine/int8', 'engine/data', 'engine/layout', 'system'], packages: [], node: true, doors: ['index', 'artifact', 'digest-file', 'options', 'check/index', 'row-losses/index', 'tokens/write-tokens', 'tokens/open-tokens'].map(file => `lib/engine/train/${file}.ts`) },
  'engine/data':   { at: 'lib/engine/train/data/', imports: ['system', 'engine/random', 'engine/hub', 'engine/text'], packages: ['hyparquet'], node: true },
  'engine/hub':    { at: 'lib/engine/hub/', imports: ['system'], packages: ['@huggingface/hub'], node: true },
  'engine/structure': { at: 'lib/engine/structure/', imports: ['engine/engine-error'], packages: [], node: true },
  'engine/generate': { at: 'lib/engine/generate/', imports: [...engineParts, 'engine/structure', 'engine/engine-error'], packages: [], node: true, doors: ['index', 'turns', 'waiting-room'].map(file => `lib/engine/generate/${file}.ts`) },
  'base-model':    { at: 'lib/base-model/index.ts', imports: [], packages: [], node: true },

  'bundled-model/corpus': { at: 'bundled-model/corpus/', imports: ['engine/random'], packages: [], node: true },
  'bundled-model/practice': { at: 'bundled-model/practice/', imports: ['engine/random', 'bundled-model/corpus'], packages: [], node: true },
  'bundled-model/tokenizer': { at: 'bundled-model/tokenizer/', imports: [], packages: [], node: true },
  'bundled-model/recipe': { at: 'bundled-model/recipe/', imports: ['engine', ...engineParts, 'engine/train', 'base-model', 'bundled-model/corpus', 'bundled-model/tokenizer'], packages: [], node: true },

  'start-cloud':   { at: 'lib/start-cloud.ts', imports: ['cloud', 'base-model'], packages: [], node: true },
  'public index':  { at: 'lib/index.ts', imports: [...libRooms, 'start-cloud', 'engine/engine-error'], packages: [], node: true },
  'studio-web':    { at: 'studio-web/', imports: faces, packages: ['vue'], node: false },
  'vite config':   { at: 'studio-web/vite.config.ts', imports: [], packages: viteTools, node: true },
  cli:             { at: 'cli/*', imports: ['cli/commands', 'console/safe-text'], packages: [], node: true, doors: cliDoors },
  'cli/commands':  { at: 'cli/commands/', imports: [...libRooms, 'console/identity-line', 'system', 'tar', 'base-model', 'cli/dashboard', 'cli'], packages: [], node: true },
  'cli/dashboard': { at: 'cli/dashboard/', imports: [...faces, 'client/node'], packages: ink, node: true },
};

const productFile = /^(cli|lib|studio-web|bundled-model(?!\/tests))\//;
const outsideProduct = /^(tests|examples|bundled-model\/tests)\//;
const mayExit = 'cli/bin.ts';
/** Every room may enter it. All other rooms get the time from it, so that tests can hand in a clock of their own. */
const clock = 'clock';
/** What the dashboard shows comes from outside: it reaches the terminal through those that make it safe, and through Ink. */
const dashboard = 'cli/dashboard';
const mayDrawText = ['cli/dashboard/components/text.tsx', 'cli/dashboard/components/chart.tsx'];
const mayReachTerminal = 'cli/dashboard/terminal/';
/** Loads what a user wrote. */
const mayImportAnything = 'lib/sdk/entry/load-service.ts';
const maxLines = 400;

/** Whether the law applies: the product, and what makes its bundled model. */
export function isProductFile(path: string): boolean {
  return productFile.test(path);
}

/** Every breach of the law in these files, each as a sentence that starts with the file. */
export function findViolations(files: SourceFile[]): string[] {
  return files.flatMap(file => [
    ...checkLength(file),
    ...(isProductFile(file.path) ? checkProductFile(file) : []),
  ]);
}

function checkLength({ path, source }: SourceFile): string[] {
  const lines = source.replace(/\n$/, '').split('\n').length;
  return lines > maxLines ? [`${path} has ${lines} lines: split what is over ${maxLines}`] : [];
}

function checkProductFile(file: SourceFile): string[] {
  const room = findRoom(file.path);
  if (!room) return [`${file.path} is in no room: see tests/support/rooms.ts`];
  const { references, exitsProcess, timers, terminal } = readSource(file);
  const violations = references.flatMap(reference => {
    const complaint = checkReference(file.path, room, reference);
    return complaint ? [`${file.path} ${complaint}`] : [];
  });
  if (exitsProcess && file.path !== mayExit)
    violations.push(`${file.path} calls process.exit: only ${mayExit} may`);
  if (room !== clock)
    violations.push(...timers.map(name => `${file.path} uses ${name}: take a Clock (lib/clock) instead`));
  if (room === dashboard && !file.path.startsWith(mayReachTerminal)) {
    const ways = terminal.filter(way => way !== "imports Ink's Text" || !mayDrawText.includes(file.path));
    violations.push(...ways.map(way => `${file.path} ${way}: take Text of components/text.tsx`));
  }
  return violations;
}

function checkReference(from: string, room: string, { kind, name }: Reference): string | undefined {
  if (name === undefined)
    return from === mayImportAnything ? undefined : 'imports a computed name: only a literal can be judged';
  const path = name.replace(/\?.*$/, '');
  if (kind === 'url' || path.startsWith('.'))
    return checkPath(room, kind, posix.join(posix.dirname(from), path));
  if (isBuiltin(name))
    return rooms[room]?.node ? undefined : `imports ${name}: ${room} must run without Node`;
  return checkPackage(room, name);
}

function checkPath(room: string, kind: Reference['kind'], path: string): string | undefined {
  if (outsideProduct.test(path)) return `imports ${path}: product code may not`;
  if (path === 'package.json') return undefined;
  const target = findRoom(path);
  if (!target) return `imports ${path}, which is in no room`;
  const { imports = [], starts = [] } = rooms[room] ?? {};
  if (target === room || imports.includes(`${target}/**`)) return undefined;
  if (target === clock)
    return isDoor(path, target) ? undefined : `imports ${path}, which is no door of ${target}`;
  if (starts.includes(target)) return kind === 'url' ? undefined : `imports ${path}: start it by URL instead`;
  if (!imports.includes(target)) return `imports ${path}: ${room} may not import ${target}`;
  return isDoor(path, target) ? undefined : `imports ${path}, which is no door of ${target}`;
}

function checkPackage(room: string, name: string): string | undefined {
  const packageName = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
  if (packageName === 'svc') return `imports ${name}: inside the package use a relative path`;
  return rooms[room]?.packages.includes(packageName)
    ? undefined
    : `imports ${name}: ${room} may not import this package`;
}

function findRoom(path: string): string | undefined {
  return Object.entries(rooms)
    .filter(([, { at }]) => isAt(path, at))
    .sort(([, a], [, b]) => b.at.length - a.at.length)[0]?.[0];
}

function isAt(path: string, at: string): boolean {
  if (at.endsWith('/*')) return posix.dirname(path) === at.slice(0, -2);
  return at.endsWith('/') ? `${path}/`.startsWith(at) : toStem(path) === toStem(at);
}

function isDoor(path: string, room: string): boolean {
  const { at, doors = [at.endsWith('/') ? `${at}index.ts` : at] } = rooms[room]!;
  return doors.map(toStem).some(door => door === toStem(path) || door === posix.join(path, 'index'));
}

/** The path without its extension, as `x.js` in an import is `x.ts` or `x.tsx` on disk. */
function toStem(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}
