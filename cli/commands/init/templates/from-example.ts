// The templates with their own data are copies of this package's examples.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plural } from '../../../../lib/console/index.js';
import { findPackage } from '../../../../lib/system/index.js';
import { ENTRY, HELD_OUT_DATA, type ProjectFile, TRAINING_DATA } from './project-file.js';

export async function fromExample(name: string): Promise<ProjectFile[]> {
  const read = (path: string) => readFile(join(findPackage(), 'examples', name, path), 'utf8');
  const [entry, train, heldOut] = await Promise.all([ENTRY, TRAINING_DATA, HELD_OUT_DATA].map(read));
  return [
    { path: ENTRY, content: entry!, note: 'the trainer' },
    { path: TRAINING_DATA, content: train!, note: `${plural(countLines(train!), 'row')} to train on` },
    { path: HELD_OUT_DATA, content: heldOut!, note: `${plural(countLines(heldOut!), 'row')} to evaluate on` },
  ];
}

const countLines = (text: string) => text.trimEnd().split('\n').length;
