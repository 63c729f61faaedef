/** What other features and manage.ts may use of collection. */
export { type OpenDayCases, openDayCases } from './day/open-day-cases.ts'
export { casePaid, type PaidOrder } from './day/case-paid.ts'
export { endGrievance, endProof, holdForGrievance, holdForProof } from './stops/system-stops.ts'
export { IST_MIDNIGHT, IST_TODAY, isoTime, NOW } from './cases/case-row.ts'
export { IS_ENABLED, isOnDuty, isOnline } from './setup/duty.ts'
export { changedByOther } from './setup/changed-by.ts'
export { likeStart, sortOf } from './setup/list-parts.ts'
export { allocationSlots, slotAt } from './allocation/allocation-slots.ts'
