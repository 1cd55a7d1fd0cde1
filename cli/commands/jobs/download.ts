// svc jobs download ID: saves an adapter as a folder in PEFT layout or as a GGUF file, or its base model with it merged in.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatBytes, plural } from '../../../lib/console/index.js';
import { UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { unpackTar } from '../files/fill-folder.js';
import { findJob } from '../project/find.js';
import { countOption, textOption } from '../project/option-values.js';
import { interruptible, type SessionContext, sessionCommand } from '../project/session-command.js';
import {
  adapterText,
  chooseArtifact,
  type Download,
  nameFor,
  openArchive,
  type Saved,
} from './download/artifact.js';

type Form = 'peft' | 'gguf' | 'merged';

export const run = sessionCommand(async input => {
  const { positionals, session, io, answer } = input;
  const step = countOption(input, 'step');
  const form = readForm(input);
  const { cloud, id } = await findJob(session, positionals[0]!);
  const [{ job }, { artifacts }] = await Promise.all([cloud.getJob(id), cloud.listArtifacts(id)]);
  const artifact = chooseArtifact(artifacts, step);
  return interruptible(io, ['SIGINT'], async signal => {
    const saved = await save({ input, cloud, job, artifact, signal }, form);
    const text = await describe(saved, form);
    answer({ artifact, ...saved }, () => `${text}, ${adapterText(artifact)}${ENDINGS[form]}\n`);
  });
});

const ENDINGS: Record<Form, string> = { peft: '', gguf: ' as GGUF', merged: ' merged into its base model' };

function readForm(input: SessionContext): Form {
  const isGguf = textOption(input, 'format') === 'gguf';
  const isMerged = input.values.merged === true;
  if (isGguf && isMerged)
    throw new UsageError(
      'option "--merged" cannot be combined with "--format gguf": a merged model is saved as safetensors.',
    );
  const form = isGguf ? 'gguf' : isMerged ? 'merged' : 'peft';
  if (form === 'peft' && textOption(input, 'base-model') !== undefined)
    throw new UsageError('option "--base-model" requires "--merged" or "--format gguf".');
  return form;
}

async function save(download: Download, form: Form): Promise<Saved> {
  const { input, job, artifact } = download;
  const name = nameFor(job.name, artifact);
  const endings: Record<Form, string> = { peft: '', gguf: '.gguf', merged: '-merged' };
  const out = resolve(input.io.cwd, textOption(input, 'out') ?? `${name}${endings[form]}`);
  if (form === 'peft') {
    const { body } = await openArchive(download);
    return { folder: out, files: await unpackTar(body, out, download.signal) };
  }
  const { saveGguf, saveMerged } = await import('./download/convert.js');
  return form === 'gguf' ? saveGguf(download, out, name) : saveMerged(download, out);
}

async function describe({ folder, files }: Saved, form: Form): Promise<string> {
  const sizes = await Promise.all(files.map(async file => (await stat(join(folder, file))).size));
  const size = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0));
  return form === 'gguf'
    ? `${toSafeLine(join(folder, files[0]!))}  ${size}`
    : `${toSafeLine(folder)}  ${plural(files.length, 'file')}, ${size}`;
}
