import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** From minutes per file to milliseconds per file. */
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

/**
 * Short files run last, so that at the end no worker waits for a long one: in alphabetical order
 * the models of claims and money would be last, two minutes with one worker.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      PLACES.findIndex((place) => relative(this.ctx.config.root, moduleId).startsWith(place))
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
