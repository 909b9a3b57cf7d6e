import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the files first that mostly wait for servers and kills: at the end of a run nothing would use the time in which they wait. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => /\/test\/(?:chaos\/|access\/kill\.)/.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
