import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts those test files first that mostly wait for servers and for killed processes. At the end of a run nothing else could use their
 * waiting time.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => /\/test\/(?:chaos\/|access\/kill\.)/.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
