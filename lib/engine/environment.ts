// The environment of processes that compute. In its own file, since processes that never load the runtime start others
// that do.

/** ONNX Runtime's builds for Linux and macOS send telemetry unless this is there when the runtime initializes. */
export const TELEMETRY_OFF = { ORT_DISABLE_TELEMETRY: '1' } as const;

/** Lets glibc ask Linux for pages of 2 MB: a step of generation reads all weights, 4 KB at a time by default. */
const LARGE_PAGES = 'glibc.malloc.hugetlb=1';

export function engineEnvironment({ GLIBC_TUNABLES: tunables, ...env }: NodeJS.ProcessEnv = process.env) {
  const isChosen = tunables?.includes('glibc.malloc.hugetlb');
  const joined = isChosen ? tunables : [tunables, LARGE_PAGES].filter(Boolean).join(':');
  return { ...env, ...TELEMETRY_OFF, GLIBC_TUNABLES: joined };
}
