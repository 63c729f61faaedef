import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** From minutes a file to milliseconds a file. */
const PROJECTS = ['realtime', 'chaos', 'e2e', 'api', 'unit']

/** Short files last, so that at the end no worker waits for a long one: by their names the models of claims and of money would come last of all, two minutes with one worker. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
