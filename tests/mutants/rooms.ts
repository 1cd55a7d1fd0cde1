// The rooms whose tests are measured, the tests that may find a mutant of each, and which share of its mutants is drawn.

export interface MeasuredRoom {
  /** Folders of tests, those first that find most: the first that fails ends the run of a mutant. */
  tests: string[];
  /** Of all mutants, so that 60 to 150 are drawn. */
  share: number;
}

export const measuredRooms: Record<string, MeasuredRoom> = {
  contract: { tests: ['contract', 'client', 'cloud/answers', 'cloud/project-api'], share: 0.03 },
  console: { tests: ['console', 'dashboard'], share: 0.014 },
  http: { tests: ['http'], share: 0.08 },
  client: { tests: ['client'], share: 0.09 },
  'cloud/edge': { tests: ['cloud/edge', 'cloud/kept-requests'], share: 0.6 },
  'cloud/jobs': { tests: ['cloud/jobs'], share: 0.022 },
  'cloud/store': { tests: ['cloud/store', 'cloud/jobs'], share: 0.08 },
  studio: { tests: ['studio'], share: 0.14 },
  sdk: { tests: ['sdk'], share: 0.022 },
  'engine/graph': { tests: ['engine/graph'], share: 0.14 },
};

/** They start processes of svc, where no mutant is active, and take long. */
export const TESTS_WITH_PROCESSES = [
  'tests/cloud/jobs/{chaos,import-adapter,local-runner,preview,run-record,samples}.test.ts',
  'tests/cloud/project-api/{completions,other-clients}.test.ts',
  'tests/sdk/local-cloud/ensure.test.ts',
  'tests/sdk/upload/upload-pieces.test.ts',
  'tests/studio/{manifest,run-studio,train}.test.ts',
];
