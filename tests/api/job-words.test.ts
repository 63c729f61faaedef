import { afterAll, beforeAll, expect, test } from 'vitest'
import names from '#locales/en/notifications.json' with { type: 'json' }
import rules from '#locales/en/rules.json' with { type: 'json' }
import scheduling from '#locales/en/scheduling.json' with { type: 'json' }
import ui from '#locales/en/ui.json' with { type: 'json' }
import { RUN_COUNTS } from '#shared/scheduling/scheduling-sets.ts'
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

test('every scheduled class has a name in the list of tasks', () => {
  const classes = floor.manage.parts.schedules.map(({ name }) => name)
  expect(classes.length).toBeGreaterThan(30)
  const named = (name: string) =>
    Object.hasOwn(scheduling.class, name) || Object.hasOwn(ui.actor, name.replaceAll('.', '_'))
  expect(classes.filter((name) => !named(name))).toEqual([])
})

test('every count of a run has a label', () => {
  expect(Object.keys(scheduling.count).toSorted()).toEqual([...RUN_COUNTS].toSorted())
})
