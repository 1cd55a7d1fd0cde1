// svc jobs push ID ollama:NAME: merges an adapter into its base model, and makes a model of the local Ollama of it.
import { join } from 'node:path';
import { explainTemporary, inTemporaryFolder } from '../../../lib/sdk/index.js';
import { UsageError } from '../../command.js';
import { sessionCommand } from '../project/session-command.js';
import { interruptible } from '../terminal/interruptible.js';
import { adapterText, type Download, findArtifact } from './download/artifact.js';

export const run = sessionCommand(async input => {
  const { positionals, io, answer } = input;
  const name = await readName(positionals[1]!);
  const found = await findArtifact(input);
  const { artifact } = found;
  return interruptible(io, async signal => {
    await push({ ...found, signal }, name);
    const text = `Ollama has ${name}: ${adapterText(artifact)} merged into its base model.`;
    answer({ artifact, model: name }, () => `${text}\nTo chat with it, run: ollama run ${name}\n`);
  });
});

async function readName(target: string): Promise<string> {
  const { isOllamaName } = await import('../../../lib/engine/index.js');
  const name = target.replace(/^ollama:/, '');
  if (name !== target && isOllamaName(name)) return name;
  throw new UsageError(`"${target}" is not a name such as ollama:triage or ollama:triage:v2.`);
}

async function push(download: Download, name: string): Promise<void> {
  const { digestFile, pushToOllama, requireOllama } = await import('../../../lib/engine/index.js');
  const { everyQuarter } = await import('../terminal/live-line.js');
  const { mergeAsGguf, withSource } = await import('./download/convert.js');
  const { input, signal } = download;
  const target = { name, host: input.io.env.OLLAMA_HOST, signal };
  // Before the conversion, which may take minutes.
  await requireOllama(target);
  await inTemporaryFolder('svc-push', async folder => {
    const { files, stops, template } = await withSource(download, source =>
      explainTemporary(mergeAsGguf(download, folder, source)),
    );
    const path = join(folder, files[0]);
    const model = { path, sha256: await digestFile(path, signal), stops, template };
    const showQuarter = everyQuarter(percent => input.note(`Sending to Ollama: ${percent}%`));
    await pushToOllama(target, model, {
      onUpload: showQuarter,
      onStatus: status => input.note(`Ollama: ${status}`),
    });
  });
}
