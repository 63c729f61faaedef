import type { FastifyInstance } from 'fastify'
import { collectionRules, saveCollectionRules } from '#shared/collection/rules-api.ts'
import * as api from '#shared/collection/setup-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { addAgency, editAgency, findAgency, listAgencies, weighAgencies } from './agencies.ts'
import { findOfficers } from './officers.ts'
import { findPerson, listPersons } from './person-queries.ts'
import { addPerson, editPerson } from './save-person.ts'
import { findRules, saveRules } from './collection-rules.ts'
import { copySchedule, findSchedule, importSchedule, saveSchedule } from './schedule.ts'
import { scheduleFile } from './schedule-file.ts'
import { addStage, editStage, findStages } from './stages.ts'
import { openAllocation, setPersonStatus } from './switch-persons.ts'
import { addDepartment, addGroup, editUnit, findTree, findUnit, listUnits } from './units.ts'

export function setupRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listStages, async ({ db, actor }) => {
    const rows = await findStages(db, actor)
    return { rows, total: rows.length, asOf: new Date().toISOString() }
  })
  serveCommand(app, house, api.addStage, async (cx, input) => {
    await addStage(cx, input)
    return (await findStages(cx.db, staff(cx.actor), input.stageId))[0] as Awaited<
      ReturnType<typeof findStages>
    >[number]
  })
  serveCommand(app, house, api.editStage, async (cx, input) => {
    await editStage(cx, input)
    return (await findStages(cx.db, staff(cx.actor), input.stageId))[0] as Awaited<
      ReturnType<typeof findStages>
    >[number]
  })

  serveQuery(app, house, collectionRules, ({ db }) => findRules(db))
  serveCommand(app, house, saveCollectionRules, saveRules)

  serveQuery(app, house, api.collectionTree, ({ db, actor }) => findTree(db, actor))
  serveQuery(app, house, api.officerOptions, ({ db }) => findOfficers(db))

  serveQuery(app, house, api.listAgencies, ({ db, actor }, input) => listAgencies(db, actor, input))
  serveCommand(app, house, api.addAgency, async (cx, input) =>
    findAgency(cx.db, await addAgency(cx, input)),
  )
  serveCommand(app, house, api.editAgency, async (cx, input) => {
    await editAgency(cx, input)
    return findAgency(cx.db, input.agencyId)
  })
  serveCommand(app, house, api.weighAgencies, async (cx, input) => ({
    rows: await weighAgencies(cx, input),
  }))

  serveQuery(app, house, api.listDepartments, ({ db, actor }, input) =>
    listUnits(db, actor, 'department', input),
  )
  serveQuery(app, house, api.listGroups, ({ db, actor }, input) =>
    listUnits(db, actor, 'group', input),
  )
  serveCommand(app, house, api.addDepartment, async (cx, input) =>
    findUnit(cx.db, 'department', await addDepartment(cx, input)),
  )
  serveCommand(app, house, api.addGroup, async (cx, input) =>
    findUnit(cx.db, 'group', await addGroup(cx, input)),
  )
  serveCommand(app, house, api.editDepartment, async (cx, input) => {
    await editUnit(cx, 'department', input)
    return findUnit(cx.db, 'department', input.id)
  })
  serveCommand(app, house, api.editGroup, async (cx, input) => {
    await editUnit(cx, 'group', input)
    return findUnit(cx.db, 'group', input.id)
  })

  serveQuery(app, house, api.listPersons, ({ db, actor }, input) => listPersons(db, actor, input))
  serveCommand(app, house, api.addPerson, async (cx, input) =>
    findPerson(cx.db, staff(cx.actor), await addPerson(cx, input)),
  )
  serveCommand(app, house, api.editPerson, async (cx, input) => {
    await editPerson(cx, input)
    return findPerson(cx.db, staff(cx.actor), input.userId)
  })
  serveCommand(app, house, api.openAllocation, (cx, input) => openAllocation(cx, input))
  serveCommand(app, house, api.setPersonStatus, (cx, input) => setPersonStatus(cx, input))

  serveQuery(app, house, api.listSchedule, ({ db, actor }, input) => findSchedule(db, actor, input))
  serveCommand(app, house, api.saveSchedule, async (cx, input) => ({
    rows: await saveSchedule(cx, input),
  }))
  serveCommand(app, house, api.copySchedule, async (cx, input) => ({
    count: await copySchedule(cx, input),
  }))
  serveCommand(app, house, api.importSchedule, (cx, input) => importSchedule(cx, input))
  serveCommand(app, house, api.scheduleTemplate, scheduleFile)
}
