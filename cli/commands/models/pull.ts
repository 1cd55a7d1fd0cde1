// svc models pull NAME: downloads a base model from the Hugging Face Hub into the data folder. Ctrl-C keeps what has arrived, and
// the next pull continues there.
import { BASE_MODEL_NAME } from '../../../lib/base-model/index.js';
import { cutToWidth, displayWidth, formatBytes } from '../../../lib/console/index.js';
import { findHubModel, isLocalModel, isModelId, parseModelFile } from '../../../lib/engine/index.js';
import { untilAborted } from '../../../lib/system/index.js';
import { type Context, exitCode, type RunCommand, UsageError } from '../../command.js';
import { downloadInto, type HubName } from '../cloud/choose-base-model.js';
import { dataOf, findFolder } from '../cloud/local-cloud.js';
import { modelsIn, placesOf } from '../cloud/model-places.js';
import { interruptible } from '../terminal/interruptible.js';
import { createLiveLine, everyQuarter } from '../terminal/live-line.js';
import { renderBar } from '../training/progress.js';
import { describeFound } from './describe-found.js';
import { findModel } from './find-models.js';

export const run: RunCommand = async context => {
  const { io, positionals, note, answer, svc } = context;
  const name = positionals[0]!;
  const { id, file } = parseName(name);
  const folder = findFolder(context);
  const data = dataOf(folder, io.env);
  const isBundled = name === BASE_MODEL_NAME;
  if (isBundled) note(`${name} ships with svc.`);
  const cached = isBundled ? null : await findHubModel({ id, file }, placesOf(io));
  if (cached !== null) note(`Hugging Face's cache has it already: ${cached}`);
  const code = cached === null && !isBundled ? await download({ id, file }, folder, context) : exitCode.ok;
  if (code === exitCode.interrupted) note(`Stopped. To resume, run: ${svc} models pull ${name}${data}`);
  if (code !== exitCode.ok) return code;
  const model = await describeFound(await findModel(name, folder, io), folder);
  answer({ model }, () => `${name} is on this machine, ${formatBytes(model.bytes)}.\n`);
  note(
    model.problem === null
      ? `To use it, run: ${svc} cloud start${data} --base-model ${name}`
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
  return interruptible(io, async signal => {
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

const BAR = { least: 8, most: 30 };
/** It is drawn as often as it changes by this share. */
const DRAWN = 1000;

/** How much has arrived: as a bar on a terminal, in quarters elsewhere. */
function createDownloadProgress(
  name: string,
  { io, screen, json, note }: Pick<Context, 'io' | 'screen' | 'json' | 'note'>,
) {
  const isLive = screen.isLive && !json;
  const line = createLiveLine(io.stdout, { isLive });
  const tellQuarter = everyQuarter(percent => note(`Downloading ${name}: ${percent}%`));
  let drawn = -1;
  line.draw(cutToWidth(`Waiting for the Hub, or for another download of ${name}…`, screen.width - 1));

  function draw(done: number, total: number): void {
    const share = Math.floor((DRAWN * done) / total);
    if (share === drawn) return;
    drawn = share;
    const text = `Downloading ${name}  ${formatBytes(done)} of ${formatBytes(total)}`;
    const width = Math.min(BAR.most, screen.width - 1 - displayWidth(text) - 2);
    const bar = width < BAR.least ? '' : `${renderBar(done / total, width, screen.style)}  `;
    line.draw(bar + cutToWidth(text, screen.width - 1));
  }

  return {
    show: isLive ? draw : tellQuarter,
    clear: () => line.clear(),
  };
}
