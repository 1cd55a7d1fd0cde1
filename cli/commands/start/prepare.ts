// Prepares a run: loads the trainer and checks its data.
import { relative } from 'node:path';
import {
  dataSummary,
  formatRelativeTime,
  GRADE_MARKS,
  plural,
  runAction,
} from '../../../lib/console/index.js';
import { ApiError, type JobConfigInput } from '../../../lib/contract/index.js';
import {
  buildEntry,
  describeOptionError,
  findEntry,
  loadService,
  type prepareJob,
  readBuild,
  type ServiceTrainer,
} from '../../../lib/sdk/index.js';
import { FRESH_BUILD_VARIABLE } from '../../../lib/system/index.js';
import { CommandError, type Io } from '../../command.js';

const SHOWN = 3;

/**
 * From the existing build, or from a new one if an entry is given, there is no build, or `FRESH_BUILD_VARIABLE` asks for one.
 * `note` reports which build is used and what has changed since.
 */
export async function prepareTrainer(
  { cwd: folder, env }: Pick<Io, 'cwd' | 'env'>,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<ServiceTrainer> {
  const build = entry === undefined ? await readBuild(folder) : null;
  if (!build || (build.changed.length > 0 && env[FRESH_BUILD_VARIABLE]))
    return buildTrainer(folder, entry ?? build?.entry, note);
  const { path, builtAt, changed } = build;
  note(`Using the latest build (${formatRelativeTime(builtAt.toISOString(), new Date())}).`);
  if (changed.length > 0) {
    const named = changed.slice(0, SHOWN).join(', ') + (changed.length > SHOWN ? ', …' : '');
    note(
      `! ${plural(changed.length, 'source')} changed since the last build: ${named}. Run "svc build" to use the changes.`,
    );
  }
  return loadTrainer(folder, path);
}

/** Builds the trainer. A build that fails to load does not replace a working one. */
async function buildTrainer(
  folder: string,
  entry: string | undefined,
  note: (line: string) => void,
): Promise<ServiceTrainer> {
  const from = await findEntry(folder, entry);
  let trainer: ServiceTrainer | undefined;
  await buildEntry(folder, from, async path => {
    trainer = await loadTrainer(folder, path);
  });
  note(`Built ${relative(folder, from)}.`);
  return trainer!;
}

/** Loads the project's build into this process. */
async function loadTrainer(folder: string, path: string): Promise<ServiceTrainer> {
  // Makes stack traces point to the project's sources instead of the build.
  process.setSourceMapsEnabled(true);
  const service = await loadService(path).catch(error => {
    const wrong = describeOptionError(error, folder);
    throw wrong === null ? describeThrown(error, 'The entry threw') : new CommandError(wrong);
  });
  return requireTrainer(service);
}

/** Returns a project's one trainer, or throws an error that says what is missing. */
export function requireTrainer<T>(service: { trainer: T | null } | null): T {
  if (!service)
    throw new CommandError(
      'The entry exports no service.\nExport one: `export const service = createService({ trainer });`',
    );
  if (service.trainer) return service.trainer;
  const { message } = runAction({ trainer: null }) as { message: string };
  throw new CommandError(message);
}

const SHOWN_FRAMES = 5;
const FOREIGN_FRAME = /\bnode:internal\b|[\\/]node_modules[\\/]/;

/** Describes an error thrown by the project's code, with the few stack frames that are in the project. */
export function describeThrown(error: unknown, what: string): CommandError {
  if (!(error instanceof Error)) return new CommandError(`${what}: ${String(error)}`);
  const lines = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  const own = lines.filter(line => !FOREIGN_FRAME.test(line)).slice(0, SHOWN_FRAMES);
  const name = error.name === 'Error' ? '' : `${error.name}: `;
  const hint = isMissingPackage(error)
    ? ['Run "npm install" in the project, or add the missing package to it.']
    : [];
  return new CommandError([`${what}: ${name}${error.message}`, ...own, ...hint].join('\n'));
}

function isMissingPackage(error: Error): boolean {
  return (
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes('Cannot find package')
  );
}

type Cloud = Awaited<ReturnType<typeof prepareJob>>['cloud'];

const MOST_LINES = 4;

/**
 * A short `svc data check`: one line on what will be learned, plus warnings and notes about the model; stops on errors. Checks only
 * rows that are already on the cloud, since a run downloads remote data itself.
 */
export async function checkData(
  config: JobConfigInput,
  cloud: Pick<Cloud, 'previewData'>,
  note: (line: string) => void,
): Promise<void> {
  const sources = [config.datasetSource, config.evalDatasetSource];
  if (sources.some(source => source !== undefined && source.type !== 'upload')) return;
  const found = await cloud.previewData({ config, effort: 'quick', limit: 0 }).catch(ignoreFailure);
  if (!found) return;
  const { line, errors, warnings, notes } = dataSummary(found.report);
  note(line);
  if (errors.length > 0)
    throw new CommandError(
      `The data set has errors, so no job was started.\n${listed(errors).join('\n')}\nRun "svc data check" to see them.`,
    );
  for (const warning of listed(warnings)) note(`! ${warning}`);
  if (warnings.length > 0) note('  Run "svc data check" to see these rows.');
  for (const text of notes) note(`${GRADE_MARKS.note} ${text}`);
}

function listed(lines: readonly string[]): string[] {
  return lines.length <= MOST_LINES ? [...lines] : [...lines.slice(0, MOST_LINES), '…'];
}

/** If the check itself fails, for example on an older cloud, training goes on. */
function ignoreFailure(error: unknown): null {
  if (error instanceof ApiError && error.code === 'dataset_invalid') throw error;
  if (error instanceof ApiError) return null;
  throw error;
}
