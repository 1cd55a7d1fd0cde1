// svc jobs download ID: saves an adapter as a folder in PEFT's or mlx-lm's layout, or as a GGUF file, its base model with
// it merged in, or an npm package.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatBytes, plural } from '../../../lib/console/index.js';
import { UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { unpackTar } from '../files/fill-folder.js';
import { textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { interruptible } from '../terminal/interruptible.js';
import {
  adapterText,
  type Download,
  findArtifact,
  nameFor,
  openArchive,
  type Saved,
} from './download/artifact.js';
import { requirePackageName } from './download/package-files.js';

type Form = 'peft' | 'gguf' | 'mlx' | 'merged' | 'merged-gguf' | 'npm';

export const run = sessionCommand(async input => {
  const { io, answer } = input;
  const form = readForm(input);
  const found = await findArtifact(input);
  const { artifact } = found;
  return interruptible(io, async signal => {
    const saved = await save({ ...found, signal }, form);
    const text = await describe(saved, form);
    answer({ artifact, ...saved }, () => `${text}, ${adapterText(artifact)}${FORMS[form].result}\n`);
  });
});

/** The ending of the default name, and how the result is described. */
const FORMS: Record<Form, { ending: string; result: string }> = {
  peft: { ending: '', result: '' },
  gguf: { ending: '.gguf', result: ' as GGUF' },
  mlx: { ending: '-mlx', result: ' for mlx-lm' },
  merged: { ending: '-merged', result: ' merged into its base model' },
  'merged-gguf': { ending: '-gguf', result: ' merged into its base model, as GGUF' },
  npm: { ending: '-npm', result: ' as an npm package' },
};

function readForm(input: SessionContext): Form {
  const format = (textOption(input, 'format') ?? 'peft') as 'peft' | 'gguf' | 'mlx';
  const isMerged = input.values.merged === true;
  if (input.values.npm === true) {
    const other = ['format', 'merged', 'quantize', 'base-model'].find(
      name => input.values[name] !== undefined,
    );
    if (other !== undefined) throw new UsageError(`option "--npm" cannot be combined with "--${other}".`);
    requirePackageName(input);
    return 'npm';
  }
  if (textOption(input, 'name') !== undefined) throw new UsageError('option "--name" requires "--npm".');
  if (isMerged && format === 'mlx')
    throw new UsageError(
      'option "--merged" cannot be combined with "--format mlx": mlx-lm converts a merged model itself.',
    );
  const form = !isMerged ? format : format === 'gguf' ? 'merged-gguf' : 'merged';
  if (form !== 'merged-gguf' && textOption(input, 'quantize') !== undefined)
    throw new UsageError('option "--quantize" requires "--format gguf" and "--merged".');
  if (form === 'merged-gguf' && /\.gguf$/i.test(textOption(input, 'out') ?? ''))
    throw new UsageError('option "--out" must be a folder: the GGUF file of a merged model is put into it.');
  if (form === 'peft' && textOption(input, 'base-model') !== undefined)
    throw new UsageError('option "--base-model" requires "--merged", "--format gguf" or "--format mlx".');
  return form;
}

async function save(download: Download, form: Form): Promise<Saved> {
  const { input, job, artifact } = download;
  const name = nameFor(job.name, artifact);
  const out = resolve(input.io.cwd, textOption(input, 'out') ?? `${name}${FORMS[form].ending}`);
  if (form === 'peft') {
    const { body } = await openArchive(download);
    return { folder: out, files: await unpackTar(body, out, download.signal) };
  }
  if (form === 'npm') {
    const { savePackage } = await import('./download/npm-package.js');
    return savePackage(download, out);
  }
  const { saveGguf, saveMerged, saveMergedGguf, saveMlx } = await import('./download/convert.js');
  if (form === 'gguf') return saveGguf(download, out, name);
  const saveFolder = { mlx: saveMlx, merged: saveMerged, 'merged-gguf': saveMergedGguf }[form];
  return saveFolder(download, out);
}

async function describe({ folder, files }: Saved, form: Form): Promise<string> {
  const sizes = await Promise.all(files.map(async file => (await stat(join(folder, file))).size));
  const size = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0));
  return form === 'gguf'
    ? `${toSafeLine(join(folder, files[0]!))}  ${size}`
    : `${toSafeLine(folder)}  ${plural(files.length, 'file')}, ${size}`;
}
