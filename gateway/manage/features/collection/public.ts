/** What other features may use of collection. */
export { type OpenDayCases, openDayCases } from './day/open-day-cases.ts'
export { casePaid, type PaidOrder } from './day/case-paid.ts'
export {
  endGrievance,
  endProof,
  holdForGrievance,
  holdForProof,
  holdForRobot,
} from './stops/system-stops.ts'
export { mayStillSend, messageOfCase, emitContacts } from './work/message-case.ts'
export { IST_MIDNIGHT, IST_TODAY, NOW } from './cases/case-row.ts'
export { IS_ENABLED, isOnDuty, isOnline } from './setup/duty.ts'
export { allocationSlots, slotAt } from './allocation/allocation-slots.ts'
export { openCollector, restCollector } from './setup/collector-of-account.ts'
export { emitCollector } from './setup/save-person.ts'
export { viewOf as caseView } from './cases/case-list.ts'
export { CASE_COUNTS, foldCaseCounts } from './figures/case-counts.ts'
export { recoveredToday } from './figures/bills.ts'
export { ownRank } from './figures/performance.ts'
export { peopleInScope } from './setup/unit-scope.ts'
export { contactFacts, contactFactsOfOrder, type ContactLimits } from './work/contact-facts.ts'
export { emitRobotCall, noteRobotTalk } from './work/robot-talk.ts'
export { caseRooms } from './case-store.ts'
export { casesInScope } from './case-scope.ts'
export { whatsappOf, type WhatsappRoute } from './work/whatsapp-way.ts'
export { type Contact, contactOf } from './work/contact-of.ts'
export { type BusyLine, busyLine, requireLineLeft } from './work/line-left.ts'
