/** The record of every contact. */
import { rowLink } from '#client/screen/list/list-actions.ts'
import { filtersOf, named, people, reads, wordsOf } from '#client/screen/list/list-filters.ts'
import { listBody } from '#client/screen/list/ListBody.tsx'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { STAGES } from '#client/ui/value/StatusTag.tsx'
import { listFollows } from '#shared/collection/cases-api.ts'
import { CONTACT_RESULTS, WILLINGNESS } from '#shared/collection/collection-sets.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { VOICE_CALL_CHANGED } from '#shared/voice-calls/voice-calls-live.ts'
import { useAwayLinks } from '../away-links.ts'
import type { FollowRow } from './case-types.ts'
import { FOLLOW_COLUMNS } from './follow-columns.ts'
import { casePath } from '#shared/collection/case-path.ts'

const seesOthers = ({ user }: Pick<ListContext, 'user'>) => user.scope.kind !== 'own'

export const followList = listBody<typeof listFollows, FollowRow>({
  endpoint: listFollows,
  rowId: 'followId',
  texts: ['collection', 'calls'],
  id: 'peded_list:follows',
  label: 'desk.list.follows',
  columns: FOLLOW_COLUMNS,
  useColumns: useAwayLinks,
  filters: filtersOf({
    orderId: {
      kind: 'text',
      label: 'desk.col.orderId',
      place: 'quick',
      placeholder: 'desk.col.orderId',
    },
    stageId: {
      kind: 'many',
      label: 'desk.col.stageId',
      options: () => STAGES.map((stage) => ({ value: stage, label: stage })),
    },
    contactResult: {
      kind: 'many',
      label: 'desk.col.contactResult',
      options: wordsOf('contactResult', CONTACT_RESULTS),
    },
    willingness: {
      kind: 'many',
      label: 'desk.col.lastWillingness',
      options: wordsOf('willingness', WILLINGNESS),
    },
    createTime: { kind: 'day', label: 'desk.col.createTime' },
    caseId: { kind: 'text', label: 'desk.col.caseId' },
    agencyId: {
      kind: 'one',
      label: 'desk.col.agencyName',
      options: ({ read }) => named(read(collectionTree)?.agencies),
      when: seesOthers,
    },
    collectorId: {
      kind: 'one',
      label: 'desk.col.operatorName',
      options: ({ read }) => people(read(collectionTree)?.collectors),
      when: seesOthers,
    },
  }),
  reads: [reads(collectionTree, {}, ({ scope }) => scope.kind !== 'own')],
  refreshOn: ['case.followed', VOICE_CALL_CHANGED.type],
  open: rowLink({ path: ({ caseId }) => casePath(caseId, 'peded_list') }),
  empty: 'desk.noFollows',
})
