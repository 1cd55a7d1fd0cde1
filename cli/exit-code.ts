// The exit codes of `svc`; scripts rely on them.
export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  notSignedIn: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
