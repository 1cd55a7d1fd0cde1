// A model on the Hugging Face Hub: which commit it is at, and which files it has.
import { type ListFileEntry, listFiles, modelInfo } from '@huggingface/hub';

export interface Hub {
  readonly url: string;
  readonly token: string | undefined;
}

export interface ModelFile extends ListFileEntry {
  readonly model: string;
  readonly commit: string;
}

/** The files at its top, at the commit that its default branch is at now. */
export async function listModelFiles(hub: Hub, model: string): Promise<ModelFile[]> {
  const { sha: commit } = await modelInfo({ ...toAccess(hub), name: model, additionalFields: ['sha'] });
  const files: ModelFile[] = [];
  const repo = { type: 'model', name: model } as const;
  for await (const entry of listFiles({ ...toAccess(hub), repo, revision: commit })) {
    if (entry.type === 'file') files.push({ ...entry, model, commit });
  }
  return files;
}

export function toAccess({ url, token }: Hub) {
  return { hubUrl: url, ...(token !== undefined && { accessToken: token }) };
}
