import { sql } from 'kysely'
import { ALLOCATION_MENU } from '#shared/collection/allocation-menu.ts'
import { FIGURES_MENU } from '#shared/collection/figures-menu.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { sealedFile } from '#gateway/manage/kernel/kept-files.ts'
import { allocateJob, recallJob } from './allocation/allocate-cases.ts'
import { allocationRoutes } from './allocation/allocation-routes.ts'
import { autoAllocateClass } from './allocation/auto-allocate-job.ts'
import { allocationRunJob } from './allocation/allocation-run-job.ts'
import { undoRunJob } from './allocation/undo-run.ts'
import { decideChangeJob } from './changes/change-cases.ts'
import { COLLECTION_HOME } from './collection-home.ts'
import { COLLECTION_AUDIENCE } from './collection-audience.ts'
import { casePaid } from './day/case-paid.ts'
import { intimate } from './day/intimate-job.ts'
import { openDayCases } from './day/open-day-cases.ts'
import { ptpCheck } from './day/ptp-check-job.ts'
import { recallIdle } from './day/recall-idle-job.ts'
import { stopExpire, stopHold } from './day/stop-expire-job.ts'
import { figuresRoutes } from './figures/figures-routes.ts'
import { contactData, KEPT_CONTACTS } from './kept-contacts.ts'
import { setupRoutes } from './setup/setup-routes.ts'
import { openAllocationJob, personStatusJob } from './setup/switch-persons.ts'
import { decideJob, resumeJob } from './stops/stop-collection.ts'
import { workRoutes } from './work-routes.ts'

export const collection: Feature = {
  menu: [...SETUP_MENU, ...WORK_MENU, ...ALLOCATION_MENU, ...FIGURES_MENU],
  audience: COLLECTION_AUDIENCE,
  sealed: [
    { place: 'agency.officer_phone', table: 'agency', column: 'officer_phone_enc' },
    sealedFile('stop'),
  ],
  hooks: {
    whenPaid: [casePaid],
    whenDayOpened: [openDayCases],
    home: [COLLECTION_HOME],
    personalData: [contactData],
    ownedFiles: [
      {
        customerOf: sql`(select s.customer_id from stop_file x join stop_collection s
          on s.id = x.stop_id where x.file_id = o.id)`,
      },
    ],
    retained: KEPT_CONTACTS,
  },
  schedules: ({ vendors: { messages } }) => [
    ptpCheck,
    recallIdle,
    stopExpire,
    stopHold,
    autoAllocateClass,
    ...(messages ? [intimate(messages)] : []),
  ],
  jobTypes: [
    decideJob,
    resumeJob,
    decideChangeJob,
    openAllocationJob,
    personStatusJob,
    allocationRunJob,
    undoRunJob,
    allocateJob,
    recallJob,
  ],
  routes(base, { context }) {
    setupRoutes(base, context)
    workRoutes(base, context)
    allocationRoutes(base, context)
    figuresRoutes(base, context)
  },
}
