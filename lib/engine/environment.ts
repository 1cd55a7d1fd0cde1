// The environment of processes that compute. In its own file, since processes that never load the runtime start others
// that do.

/** ONNX Runtime's Linux and macOS builds send telemetry unless this is set when the runtime initializes. */
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: '1' } as const;

/** How glibc keeps the memory of a process that serves a model. */
const SERVING_TUNABLES = {
  // Pages of 2 MB. A step of generation reads all weights, most of them once, and is faster with fewer pages; training is
  // not, and takes more memory.
  'glibc.malloc.hugetlb': 1,
  // Buffers of this size go back to the system once they are freed. By default, glibc keeps those of up to 32 MB.
  'glibc.malloc.mmap_threshold': 128 * 1024,
};

/** Adds these tunables, except those that the user has set. */
export function withServingMemory({ GLIBC_TUNABLES: chosen, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const added = Object.entries(SERVING_TUNABLES)
    .filter(([name]) => !chosen?.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  return { ...env, GLIBC_TUNABLES: [chosen, ...added].filter(Boolean).join(':') };
}

/** The default number of compute threads; undefined lets the runtime choose. */
export function chosenThreads({ SVC_THREADS: chosen }: NodeJS.ProcessEnv = process.env): number | undefined {
  if (!chosen) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(chosen))
    throw new Error(`SVC_THREADS must be a whole number from 1 to 999, not "${chosen}".`);
  return Number(chosen);
}
