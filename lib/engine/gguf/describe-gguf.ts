// What a GGUF file is, from its header.
import type { ModelConfig } from '../model/index.js';
import { planNumbers } from './convert-model.js';
import { type Facts, readFacts } from './facts.js';
import { type GgufHeader, readGgufHeader } from './read-header.js';
import { requireTokenizer } from './to-text-files.js';

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
  const header = await readGgufHeader(file, { hasTokens: false });
  const facts = readFacts(header);
  const architecture = facts.text('general.architecture') ?? null;
  return {
    architecture,
    formats: formatsOf(header),
    mixture: MIXTURES[facts.number('general.file_type') ?? -1] ?? null,
    parameters: countParameters(header),
    context: facts.number(`${architecture}.context_length`) ?? null,
    license: readLicense(facts),
    ...(await findProblem(header, facts)),
  };
}

/** Some licenses have a name of their own. */
function readLicense(facts: Facts): string | null {
  const license = facts.text('general.license') ?? null;
  return license === 'other' ? (facts.text('general.license.name') ?? license) : license;
}

function formatsOf({ tensors }: GgufHeader): string[] {
  const bytesOf = new Map<string, number>();
  for (const { format, byteLength } of tensors.values())
    bytesOf.set(format.name, (bytesOf.get(format.name) ?? 0) + byteLength);
  return [...bytesOf].sort(([, a], [, b]) => b - a).map(([format]) => format);
}

function countParameters({ tensors }: GgufHeader): number {
  const sizes = [...tensors.values()].map(({ shape }) => shape.reduce((size, length) => size * length, 1));
  return sizes.reduce((sum, size) => sum + size, 0);
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
