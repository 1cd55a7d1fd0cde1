// The files that a remote worker trains with: the base model's, the rows as tokens, and the adapter of step 0. Rows are read
// once for all attempts at a job.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Claim,
  type RewardQuestion,
  type RewardRequest,
  type RunDocument,
  type RunFileFacts,
  type RunSource,
  templateVariablesOf,
} from '../../contract/index.js';
import {
  ADAPTER_TENSORS,
  type AskedWork,
  type FileReader,
  REMOTE_FOLDER,
  type RunFile,
  type TrainTask,
} from '../../engine/index.js';
import { keepResult, replaceFile, unlessMissing } from '../../system/index.js';
import type { CloudDeps } from '../deps.js';
import { replaceFolder } from '../disk/files.js';
import type { Folders } from '../disk/folders.js';

export interface RunMaterials extends Pick<Claim, 'model'>, KeptFacts {
  /** The path of a worker's file: model files by name, rows by role, or the initial adapter. Null for unknown names. */
  pathOf(kind: 'model' | 'rows' | 'initial', name: string): { path: string; facts: RunFileFacts } | null;
}

interface KeptFacts extends Pick<Claim, 'initial'> {
  rows: Claim['rows'] & Omit<RunFile['rows'], 'trainingPath' | 'evaluationPath'>;
}

interface MaterialsContext {
  deps: Pick<CloudDeps, 'baseModel' | 'exposed'>;
  folders: Folders;
  files: FileReader;
}

/** Shared by all machines and jobs of the cloud. */
const CLOUD: AskedWork = { caller: 'cloud', isAccepted: true };
const FACTS = 'facts.json';
const MODEL_FILE = /^[\w-][\w.-]*\.(?:json|safetensors|jinja|txt|model)$/;

/** The base model's files. */
export type ReadModelFiles = () => Promise<Claim['model']>;

/** `asked` says for whom. */
export type PrepareMaterials = (run: RunDocument, asked: AskedWork) => Promise<RunMaterials>;

/** Rejects with `dataset_invalid` for rows that cannot be trained on. */
export function createMaterials(context: MaterialsContext, readModel: ReadModelFiles): PrepareMaterials {
  const { folder } = context.deps.baseModel;
  return async (run, asked) => {
    const target = join(context.folders.job(run.jobId), REMOTE_FOLDER);
    const facts = (await readFacts(target)) ?? (await writeRows(context, run, target, asked));
    const { files } = await readModel();
    return {
      ...facts,
      model: { files },
      pathOf(kind, name) {
        if (kind === 'initial')
          return { path: join(target, 'initial', ADAPTER_TENSORS), facts: facts.initial };
        if (kind === 'model') {
          const found = files.find(file => file.name === name);
          return found ? { path: join(folder, name), facts: found } : null;
        }
        const rows = name === 'training' || name === 'evaluation' ? facts.rows[name] : null;
        return rows && { path: join(target, `${name}.safetensors`), facts: rows };
      },
    };
  };
}

/** Digested only once. */
export function createModelReader(files: FileReader, folder: string): ReadModelFiles {
  return keepResult(async () => {
    const names = await readdir(folder);
    return digestFiles(
      files,
      folder,
      names.filter(name => MODEL_FILE.test(name)),
    );
  });
}

export async function digestFiles(
  files: FileReader,
  folder: string,
  names: readonly string[],
): Promise<Claim['model']> {
  const found: Claim['model']['files'] = [];
  for (const name of [...names].sort())
    found.push({ name, ...(await files.run('digestFile', { path: join(folder, name) }, CLOUD)) });
  return { files: found };
}

async function readFacts(target: string): Promise<KeptFacts | null> {
  const text = await unlessMissing(readFile(join(target, FACTS), 'utf8'), null);
  return text === null ? null : (JSON.parse(text) as KeptFacts);
}

async function writeRows(
  context: MaterialsContext,
  run: RunDocument,
  target: string,
  asked: AskedWork,
): Promise<KeptFacts> {
  const { files } = context;
  const { attempt: _1, modelName: _2, roundedFolder: _3, ...request } = locateFiles(context, run).request;
  const digest = (path: string) => files.run('digestFile', { path }, asked);
  return replaceFolder(target, async partial => {
    const written = await files.run('writeTokens', { ...request, target: partial }, asked);
    const { trainingPath, evaluationPath, initialFolder, ...about } = written;
    const facts = {
      rows: {
        ...about,
        training: await digest(trainingPath),
        evaluation: evaluationPath === null ? null : await digest(evaluationPath),
      },
      initial: await digest(join(initialFolder, ADAPTER_TENSORS)),
    };
    await replaceFile(join(partial, FACTS), JSON.stringify(facts));
    return facts;
  });
}

/** The answers that a worker asks about as text, with the rows that they answer. */
export async function readQuestion(
  { deps, folders, files }: MaterialsContext,
  run: Pick<RunDocument, 'jobId'>,
  { step, groups }: RewardQuestion,
  asked: AskedWork,
): Promise<RewardRequest> {
  const folder = join(folders.job(run.jobId), REMOTE_FOLDER);
  const modelFolder = deps.baseModel.folder;
  return { step, groups: await files.run('readAnswers', { folder, modelFolder, groups }, asked) };
}

/** The files of a run that a process on this machine trains with. */
export function toRunFile(
  context: Parameters<typeof locateFiles>[0],
  run: RunDocument,
  { rows, pathOf }: RunMaterials,
): RunFile {
  const { modelFolder, folder } = locateFiles(context, run).request;
  const { training, evaluation, ...facts } = rows;
  return {
    run,
    modelFolder,
    rows: {
      ...facts,
      trainingPath: pathOf('rows', 'training')!.path,
      evaluationPath: pathOf('rows', 'evaluation')?.path ?? null,
    },
    initialPath: pathOf('initial', '')!.path,
    folder,
  };
}

/** Resolves the files in a run's document to paths on this machine, for a local training process. */
export function locateFiles(
  { deps, folders }: { deps: Pick<CloudDeps, 'baseModel' | 'exposed'>; folders: Folders },
  run: RunDocument,
): TrainTask {
  const { training, evaluation, evaluationFraction, trainOn, enableThinking, tooLong, replay } = run.data;
  return {
    jobId: run.jobId,
    dryRun: run.dryRun,
    request: {
      source: locateSource(folders, training),
      evaluationSource: evaluation ? locateSource(folders, evaluation) : undefined,
      modelFolder: deps.baseModel.folder,
      modelName: run.model.name,
      evaluationFraction: evaluationFraction ?? undefined,
      ...(replay && { replay: locateReplay(folders, replay) }),
      trainOn,
      variables: templateVariablesOf({ enableThinking }),
      tooLong,
      options: run.options,
      ...(run.from && { from: locateStart(folders, run.from) }),
      folder: folders.job(run.jobId),
      cacheFolder: folders.downloads,
      roundedFolder: folders.roundedOf(deps.baseModel),
      allowPrivateAddresses: !deps.exposed,
      // The token in the cloud's own environment is only for the cloud itself.
      hubToken: '',
      attempt: run.attempt,
    },
  };
}

function locateStart(
  folders: Folders,
  { adapter, sha256, keepsOptimizer }: NonNullable<RunDocument['from']>,
): NonNullable<TrainTask['request']['from']> {
  const folder = folders.adapter(adapter.jobId, adapter);
  return { tensors: join(folder, ADAPTER_TENSORS), sha256, state: keepsOptimizer ? folder : null };
}

function locateReplay(
  folders: Folders,
  { share, sources }: NonNullable<RunDocument['data']['replay']>,
): TrainTask['request']['replay'] {
  return {
    share,
    sources: sources.map(({ source, evaluationFraction }) => ({
      source: locateSource(folders, source),
      evaluationFraction: evaluationFraction ?? undefined,
    })),
  };
}

/** The path of its rows on this machine. */
export function locateSource(folders: Folders, source: RunSource): TrainTask['request']['source'] {
  const { columns } = source;
  switch (source.type) {
    case 'file':
      return {
        type: 'file',
        path: join(folders.datasets, source.sha256),
        fileName: source.fileName,
        columns,
      };
    case 'download':
      return {
        type: 'file',
        path: join(folders.downloads, source.name),
        fileName: source.fileName ?? undefined,
        columns,
      };
    case 'huggingface':
      return source;
  }
}
