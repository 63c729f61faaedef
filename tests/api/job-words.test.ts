import { afterAll, beforeAll, expect, test } from 'vitest'
import names from '#locales/en/notifications.json' with { type: 'json' }
import rules from '#locales/en/rules.json' with { type: 'json' }
import { type Floor, testManage } from '#tests/support/manage.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage()
})
afterAll(() => floor.close())

test('every type of job has a name in the job tray and in the operate log', () => {
  const types = floor.manage.parts.jobTypes.map(({ type }) => type)
  expect(types.length).toBeGreaterThan(30)
  const named = (type: string) =>
    type.startsWith('batch.')
      ? Object.hasOwn(rules.kind, type.slice('batch.'.length))
      : Object.hasOwn(names.jobs.type, type.replaceAll('.', '_'))
  expect(types.filter((type) => !named(type))).toEqual([])
})
