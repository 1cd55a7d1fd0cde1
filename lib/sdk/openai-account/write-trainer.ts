// Writes a job's trainer next to the project's own, and never over a file that is there.
import { constants, copyFile, link, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { temporaryNameFor, unlessMissing, writeSynced } from '../../system/index.js';
import { makeFolder } from '../files/files.js';
import type { MappedJob } from './map-job.js';
import type { AccountJob } from './shapes.js';
import { fileNamesFor, markOf, type TrainerData, trainerSource } from './trainer-source.js';

export interface WrittenTrainer {
  /** Relative to the project, with forward slashes. */
  path: string;
  /** `taken`: there are other files with the names that it could have. */
  state: 'written' | 'kept' | 'taken';
}

const FOLDER = 'src/svc';

export async function writeTrainer(
  project: string,
  job: AccountJob,
  mapped: MappedJob,
  data: TrainerData,
): Promise<WrittenTrainer> {
  const names = fileNamesFor(job, mapped.name);
  const source = trainerSource(job, mapped, data);
  for (const name of names) {
    const path = `${FOLDER}/${name}.ts`;
    const place = join(project, path);
    const there = await unlessMissing(readFile(place, 'utf8'), null);
    if (there?.includes(`${markOf(job)} (`)) return { path, state: 'kept' };
    if (there === null && (await writeNew(place, source))) return { path, state: 'written' };
  }
  return { path: `${FOLDER}/${names.at(-1)}.ts`, state: 'taken' };
}

/** Whole or not at all; false if someone else has just written a file there. */
async function writeNew(path: string, content: string): Promise<boolean> {
  makeFolder(dirname(path));
  const temporary = temporaryNameFor(path);
  await writeSynced(temporary, content);
  try {
    await link(temporary, path).catch(async (error: NodeJS.ErrnoException) => {
      // Some file systems have no links.
      if (error.code === 'EEXIST') throw error;
      await copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A path as trainers have it. */
export function inProject(project: string, path: string): string {
  return relative(project, path).split(sep).join('/');
}
