// Fails a run in which a test file was planned or begun and never ended, whatever became of its process; and says which
// errors came too late to belong to a test.
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

const keyOf = ({ project, moduleId }: TestSpecification | TestModule) => `${project.name} ${moduleId}`;

export class AllFilesEnded implements Reporter {
  private readonly open = new Set<string>();
  private readonly late: string[] = [];

  /**
   * Vitest asks about each unhandled error; false keeps it from failing the run. A process that has ended all its files
   * may be gone before the last answer to it is written: if every file ended, nothing was lost.
   */
  readonly judge = ({ message, cause }: Error): boolean => {
    const isLate =
      message.includes('Worker forks emitted error') && (cause as { code?: string })?.code === 'EPIPE';
    if (isLate) this.late.push(message);
    return !isLate;
  };

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const specification of specifications) this.open.add(keyOf(specification));
  }

  onTestModuleEnd(module: TestModule): void {
    this.open.delete(keyOf(module));
  }

  onTestRunEnd(): void {
    for (const message of this.late) console.error(`After its last file, a process was gone: ${message}`);
    if (this.open.size === 0) return;
    console.error(`These never ended:\n${[...this.open].join('\n')}`);
    process.exitCode = 1;
  }
}
