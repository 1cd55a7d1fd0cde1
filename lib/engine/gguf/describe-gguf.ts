// What a GGUF file is, from its header.
import { sizeOf } from '../graph/index.js';
import type { ModelConfig } from '../model/index.js';
import { listFormats } from '../weights/index.js';
import { planNumbers } from './convert-model.js';
import { type Facts, type GgufHeader, readFacts, readGgufHeader } from './read-header.js';
import { hasTemplate, requireTokenizer, toSamplingConfig } from './to-text-files.js';

export interface DescribedGguf {
  /** llama.cpp's name of it. */
  architecture: string | null;
  /** Of its weights, the one with most bytes first. */
  formats: string[];
  /** The mixture of formats, such as Q4_K_M, if the file says it. */
  mixture: string | null;
  parameters: number;
  context: number | null;
  license: string | null;
  hasChatTemplate: boolean;
  /** What it recommends for sampling, as in generation_config.json. */
  recommended: Readonly<Record<string, unknown>>;
  /** Null if it is not supported. */
  config: ModelConfig | null;
  /** Why it is not supported. */
  problem: Error | null;
}

/** By their numbers in `general.file_type`. */
const MIXTURES: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  21: 'Q2_K_S',
  32: 'BF16',
};

/** Reads no tokens. Throws a `WeightsError` if it is damaged. */
export async function describeGguf(file: string): Promise<DescribedGguf> {
  const header = await readGgufHeader(file, { keepsTokens: false });
  const facts = readFacts(header);
  const tensors = [...header.tensors.values()];
  const architecture = facts.text('general.architecture') ?? null;
  return {
    architecture,
    formats: listFormats(tensors.map(({ format, byteLength }) => [format.name, byteLength])),
    mixture: MIXTURES[facts.number('general.file_type') ?? -1] ?? null,
    parameters: tensors.reduce((sum, { shape }) => sum + sizeOf(shape), 0),
    context: facts.number(`${architecture}.context_length`) ?? null,
    license: nameLicense(facts.text('general.license') ?? null, facts.text('general.license.name') ?? null),
    hasChatTemplate: hasTemplate(facts),
    recommended: toSamplingConfig(facts),
    ...(await findProblem(header, facts)),
  };
}

/** Some licenses have a name of their own. */
export function nameLicense(license: string | null, ownName: string | null): string | null {
  return license === 'other' ? (ownName ?? license) : license;
}

async function findProblem(
  header: GgufHeader,
  facts: Facts,
): Promise<Pick<DescribedGguf, 'config' | 'problem'>> {
  try {
    const { description } = await planNumbers(header);
    requireTokenizer(header.file, facts);
    return { config: description, problem: null };
  } catch (problem) {
    return { config: null, problem: problem as Error };
  }
}
