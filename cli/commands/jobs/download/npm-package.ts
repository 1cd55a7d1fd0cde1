// Saves an adapter as an npm package: its files, the types of its task, its scores, and a function that asks it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE_MODEL_NAME } from '../../../../lib/base-model/index.js';
import {
  ApiError,
  type Artifact,
  type Evaluation,
  isSameModel,
  type Job,
  type NamedModel,
  readThinking,
  type ServedModel,
} from '../../../../lib/contract/index.js';
import { describeAdapter } from '../../../../lib/engine/index.js';
import packageJson from '../../../../package.json' with { type: 'json' };
import { fillFolder, requireEmpty, unpackInto } from '../../files/fill-folder.js';
import { textOption } from '../../project/option-values.js';
import { type Download, nameFor, openArchive, type Saved } from './artifact.js';
import { ADAPTER_FOLDER, type PackageFacts, packageFiles } from './package-files.js';

export async function savePackage(download: Download, folder: string): Promise<Saved> {
  await requireEmpty(folder);
  const contents = packageFiles(await gatherFacts(download));
  const files = await fillFolder(folder, async partial => {
    const adapter = join(partial, ADAPTER_FOLDER);
    await mkdir(adapter);
    const { body } = await openArchive(download);
    const names = await unpackInto(body, adapter, download.signal);
    await requireDigest(adapter, download.artifact);
    for (const [name, content] of Object.entries(contents)) await writeFile(join(partial, name), content);
    return [...Object.keys(contents), ...names.map(name => join(ADAPTER_FOLDER, name))];
  });
  return { folder, files };
}

async function gatherFacts(download: Download): Promise<PackageFacts> {
  const { input, cloud, job, artifact } = download;
  const name = textOption(input, 'name') ?? `${nameFor(job.name, artifact)}-adapter`;
  const [{ baseModel: served }, { manifest }, { evaluations }] = await Promise.all([
    cloud.getBaseModel(),
    cloud.getJobManifest(job.id),
    cloud.listEvaluations({ jobId: job.id }),
  ]);
  return {
    name,
    artifact,
    job: { id: job.id, name: job.name },
    task: job.task ?? null,
    enableThinking: readThinking(job.config),
    baseModel: { ...manifest.model, license: licenseOf(manifest.model, served) },
    evaluations: newestOfEach(evaluations.filter(evaluation => isOf(evaluation, job, artifact))),
    svcVersion: packageJson.version,
  };
}

/** The bundled model has svc's. Of another one, the cloud may have a different base model by now. */
function licenseOf(model: NamedModel, served: ServedModel): string | null {
  if (model.name === BASE_MODEL_NAME) return packageJson.license;
  return isSameModel(model, served) ? (served.facts?.license ?? null) : null;
}

function isOf({ subject: { target } }: Evaluation, job: Job, { kind, step }: Artifact): boolean {
  if (target.kind !== 'adapter' || target.adapter.jobId !== job.id) return false;
  return target.adapter.kind === 'checkpoint'
    ? kind === 'checkpoint' && target.adapter.step === step
    : kind === 'final';
}

/** The newest evaluation on each data set. */
function newestOfEach(evaluations: readonly Evaluation[]): Evaluation[] {
  const newestFirst = evaluations.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  const byData = new Map<string, Evaluation>();
  for (const evaluation of newestFirst)
    if (!byData.has(evaluation.data.digest)) byData.set(evaluation.data.digest, evaluation);
  return [...byData.values()];
}

async function requireDigest(folder: string, { sha256 }: Artifact): Promise<void> {
  if ((await describeAdapter(folder, 'final', 0)).sha256 === sha256) return;
  throw new ApiError(
    'unexpected_response',
    'The downloaded adapter does not have the digest that the cloud says.',
  );
}
