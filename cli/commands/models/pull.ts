// svc models pull NAME: downloads a base model from the Hugging Face Hub into the data folder. Ctrl-C keeps what has arrived, and
// the next pull continues there.
import { BASE_MODEL_NAME } from '../../../lib/base-model/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { findHubModel, isLocalModel, isModelId, parseModelFile } from '../../../lib/engine/index.js';
import { untilAborted } from '../../../lib/system/index.js';
import { type CommandModule, type Context, exitCode, UsageError } from '../../command.js';
import { downloadInto, type HubName } from '../cloud/download-model.js';
import { findFolder } from '../cloud/local-cloud.js';
import { modelsIn, placesOf } from '../cloud/model-places.js';
import { interruptible } from '../project/session-command.js';
import { describeFound } from './describe-found.js';
import { createDownloadProgress } from './download-progress.js';
import { findModel } from './find-models.js';

export const run: CommandModule['run'] = async context => {
  const { io, positionals, note, answer, svc } = context;
  const name = positionals[0]!;
  const { id, file } = parseName(name);
  const folder = findFolder(context);
  const isBundled = name === BASE_MODEL_NAME;
  if (isBundled) note(`${name} ships with svc.`);
  const cached = isBundled ? null : await findHubModel({ id, file }, placesOf(io));
  if (cached !== null) note(`Hugging Face's cache has it already: ${cached}`);
  const code = cached === null && !isBundled ? await download({ id, file }, folder, context) : exitCode.ok;
  if (code === exitCode.interrupted) note(`Stopped. To resume, run: ${svc} models pull ${name}`);
  if (code !== exitCode.ok) return code;
  const model = await describeFound(await findModel(name, folder, io), folder);
  answer({ model }, () => `${name} is on this machine, ${formatBytes(model.bytes)}.\n`);
  note(
    model.problem === null
      ? `To use it, run: ${svc} cloud start --base-model ${name}`
      : `svc cannot run it: ${model.problem}`,
  );
  return exitCode.ok;
};

function parseName(name: string): HubName {
  const { id = name, file } = parseModelFile(name) ?? {};
  if (isModelId(id)) return { id, file };
  const advice = isLocalModel(name) ? ' Ollama and LM Studio download their own models.' : '';
  throw new UsageError(
    `"${name}" is not a model on the Hugging Face Hub. Use OWNER/NAME or OWNER/NAME:FILE.gguf.${advice}`,
  );
}

function download(name: HubName, folder: string, context: Context) {
  const { io } = context;
  const progress = createDownloadProgress(name.id, context);
  return interruptible(io, ['SIGINT', 'SIGTERM'], async signal => {
    let hasBegun = false;
    const onStart = () => {
      hasBegun = true;
    };
    const observed = { onStart, onProgress: progress.show, signal };
    const whole = downloadInto(modelsIn(folder), name, io.env, observed);
    try {
      await untilAborted(whole, signal);
    } finally {
      // What has arrived is written down before this process ends.
      if (hasBegun) await whole.catch(() => {});
      progress.clear();
    }
  });
}
