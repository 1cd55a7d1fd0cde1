// Fails a run in which a test file was begun or planned and never ended, whatever became of the process that had it.
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

const keyOf = ({ project, moduleId }: TestSpecification | TestModule) => `${project.name} ${moduleId}`;

export class AllFilesEnded implements Reporter {
  private readonly open = new Set<string>();

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const specification of specifications) this.open.add(keyOf(specification));
  }

  onTestModuleEnd(module: TestModule): void {
    this.open.delete(keyOf(module));
  }

  onTestRunEnd(): void {
    if (this.open.size === 0) return;
    console.error(`These never ended:\n${[...this.open].join('\n')}`);
    process.exitCode = 1;
  }
}

/** A process that has ended all its files may be gone before the last answer to it is written: nothing is lost then. */
export function isLateAnswer({ message, cause }: Error): boolean {
  return message.includes('Worker forks emitted error') && (cause as { code?: string })?.code === 'EPIPE';
}
