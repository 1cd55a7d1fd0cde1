// The Python on the cloud's machine that trains with PyTorch.
import * as z from 'zod/mini';

/** While it is being checked, only its path is known. */
export const torchFacts = z.object({
  /** Its path. */
  python: z.string(),
  /** Of Python, and of PyTorch. */
  version: z.optional(z.string()),
  torch: z.optional(z.string()),
  /** The name of the GPU, or why jobs train on the CPU. */
  gpu: z.optional(z.nullable(z.string())),
  noGpu: z.optional(z.nullable(z.string())),
  /** Why it cannot train; null if it can. */
  problem: z.optional(z.nullable(z.string())),
});

export type TorchFacts = z.output<typeof torchFacts>;

export function describeTorch({ python, version, torch, gpu, noGpu, problem }: TorchFacts): string {
  if (problem != null) return `${python}: ${problem}`;
  if (torch === undefined) return `${python}, being checked`;
  const device = gpu ?? `the CPU: ${noGpu}`;
  return `PyTorch ${torch} (${python}, Python ${version}) on ${device}`;
}
