// The environment of processes that compute. In its own file, since processes that never load the runtime start others
// that do.

/** ONNX Runtime's builds for Linux and macOS send telemetry unless this is there when the runtime initializes. */
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: '1' } as const;

const LARGE_PAGES = 'glibc.malloc.hugetlb=1';

/**
 * Lets glibc ask Linux for pages of 2 MB, unless the user chose otherwise. A step of generation reads all weights, most
 * of them once, and is faster with fewer pages; training is not, and takes more memory.
 */
export function withLargePages({ GLIBC_TUNABLES: tunables, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isChosen = tunables?.includes('glibc.malloc.hugetlb');
  const joined = isChosen ? tunables : [tunables, LARGE_PAGES].filter(Boolean).join(':');
  return { ...env, GLIBC_TUNABLES: joined };
}
