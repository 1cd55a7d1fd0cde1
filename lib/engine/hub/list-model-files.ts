// Lists a model's files on the Hugging Face Hub, pinned to one commit.
import { type ListFileEntry, listFiles, modelInfo } from '@huggingface/hub';

export interface Hub {
  readonly url: string;
  readonly token: string | undefined;
}

export interface ModelFile extends ListFileEntry {
  readonly model: string;
  readonly commit: string;
}

/** The files in the root folder, at the current commit of the default branch. */
export async function listModelFiles(hub: Hub, model: string): Promise<ModelFile[]> {
  const { sha: commit } = await modelInfo({ ...toHubParams(hub), name: model, additionalFields: ['sha'] });
  const files: ModelFile[] = [];
  const repo = { type: 'model', name: model } as const;
  for await (const entry of listFiles({ ...toHubParams(hub), repo, revision: commit })) {
    if (entry.type === 'file') files.push({ ...entry, model, commit });
  }
  return files;
}

export function toHubParams({ url, token }: Hub) {
  return { hubUrl: url, ...(token !== undefined && { accessToken: token }) };
}
