import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** From minutes a file to milliseconds a file. */
const PLACES = [
  'tests/realtime/',
  'tests/chaos/',
  'tests/e2e/',
  'tests/api/',
  'gateway/',
  'tests/',
  'client/',
  'shared/',
]

/** Short files last, so that at the end no worker waits for a long one: by their names the models of claims and of money would come last of all, two minutes with one worker. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      PLACES.findIndex((place) => relative(this.ctx.config.root, moduleId).startsWith(place))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
