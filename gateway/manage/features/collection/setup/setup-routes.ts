import type { FastifyInstance } from 'fastify'
import {
  collectionRules,
  lastRulesSave,
  saveCollectionRules,
} from '#shared/collection/rules-api.ts'
import * as api from '#shared/collection/setup-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { addAgency, editAgency, findAgency, listAgencies, weighAgencies } from './agencies.ts'
import { findOfficers } from './officers.ts'
import { findPerson, listPersons } from './person-queries.ts'
import { addPerson, editPerson } from './save-person.ts'
import { findRules, lastSave, saveRules } from './collection-rules.ts'
import { copySchedule, findSchedule, importSchedule, saveSchedule } from './schedule.ts'
import { scheduleFile } from './schedule-file.ts'
import { addStage, editStage, findStages } from './stages.ts'
import { openAllocation, setPersonStatus } from './switch-persons.ts'
import { addDepartment, addGroup, editUnit, findTree, findUnit, listUnits } from './units.ts'

export function setupRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listStages, async ({ db, actor }) => {
    const rows = await findStages(db, actor)
    return { rows, total: rows.length, asOf: new Date().toISOString() }
  })
  serveCommand(app, context, api.addStage, async (tx, input) => {
    await addStage(tx, input)
    return (await findStages(tx.db, staff(tx.actor), input.stageId))[0] as Awaited<
      ReturnType<typeof findStages>
    >[number]
  })
  serveCommand(app, context, api.editStage, async (tx, input) => {
    await editStage(tx, input)
    return (await findStages(tx.db, staff(tx.actor), input.stageId))[0] as Awaited<
      ReturnType<typeof findStages>
    >[number]
  })

  serveQuery(app, context, collectionRules, ({ db }) => findRules(db))
  serveQuery(app, context, lastRulesSave, ({ db }) => lastSave(db))
  serveCommand(app, context, saveCollectionRules, saveRules)

  serveQuery(app, context, collectionTree, ({ db, actor }) => findTree(db, actor))
  serveQuery(app, context, api.officerOptions, ({ db }) => findOfficers(db))

  serveQuery(app, context, api.listAgencies, ({ db, actor }, input) =>
    listAgencies(db, actor, input),
  )
  serveCommand(app, context, api.addAgency, async (tx, input) =>
    findAgency(tx.db, await addAgency(tx, input)),
  )
  serveCommand(app, context, api.editAgency, async (tx, input) => {
    await editAgency(tx, input)
    return findAgency(tx.db, input.agencyId)
  })
  serveCommand(app, context, api.weighAgencies, async (tx, input) => ({
    rows: await weighAgencies(tx, input),
  }))

  serveQuery(app, context, api.listDepartments, ({ db, actor }, input) =>
    listUnits(db, actor, 'department', input),
  )
  serveQuery(app, context, api.listGroups, ({ db, actor }, input) =>
    listUnits(db, actor, 'group', input),
  )
  serveCommand(app, context, api.addDepartment, async (tx, input) =>
    findUnit(tx.db, 'department', await addDepartment(tx, input)),
  )
  serveCommand(app, context, api.addGroup, async (tx, input) =>
    findUnit(tx.db, 'group', await addGroup(tx, input)),
  )
  serveCommand(app, context, api.editDepartment, async (tx, input) => {
    await editUnit(tx, 'department', input)
    return findUnit(tx.db, 'department', input.id)
  })
  serveCommand(app, context, api.editGroup, async (tx, input) => {
    await editUnit(tx, 'group', input)
    return findUnit(tx.db, 'group', input.id)
  })

  serveQuery(app, context, api.listPersons, ({ db, actor }, input) => listPersons(db, actor, input))
  serveCommand(app, context, api.addPerson, async (tx, input) =>
    findPerson(tx.db, staff(tx.actor), await addPerson(tx, input)),
  )
  serveCommand(app, context, api.editPerson, async (tx, input) => {
    await editPerson(tx, input)
    return findPerson(tx.db, staff(tx.actor), input.userId)
  })
  serveCommand(app, context, api.openAllocation, (tx, input) => openAllocation(tx, input))
  serveCommand(app, context, api.setPersonStatus, (tx, input) => setPersonStatus(tx, input))

  serveQuery(app, context, api.listSchedule, ({ db, actor }, input) =>
    findSchedule(db, actor, input),
  )
  serveCommand(app, context, api.saveSchedule, async (tx, input) => ({
    rows: await saveSchedule(tx, input),
  }))
  serveCommand(app, context, api.copySchedule, async (tx, input) => ({
    count: await copySchedule(tx, input),
  }))
  serveCommand(app, context, api.importSchedule, (tx, input) => importSchedule(tx, input))
  serveCommand(app, context, api.scheduleTemplate, scheduleFile)
}
