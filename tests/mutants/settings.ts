// What the processes that Stryker starts are told, through their environment.

export function tellProcesses(tests: string[], share: number): void {
  process.env.SVC_MUTANTS_TESTS = tests.join();
  process.env.SVC_MUTANTS_SHARE = String(share);
}

export function readTests(): string[] {
  return process.env.SVC_MUTANTS_TESTS!.split(',');
}

export function readShare(): number {
  return Number(process.env.SVC_MUTANTS_SHARE);
}
