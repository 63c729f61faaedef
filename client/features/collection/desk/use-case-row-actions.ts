import { useText } from '#client/base/use-text.ts'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import {
  allocateCases,
  callBorrower,
  endCase,
  followCase,
  recallCases,
} from '#shared/collection/cases-api.ts'
import { addStop } from '#shared/collection/stops-api.ts'
import { sendLink } from '#shared/repayments/links-api.ts'
import { addProof } from '#shared/repayments/proofs-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import type { OpenForm } from './CaseForms.tsx'
import type { CaseWish } from './CasePanel.tsx'
import type { CaseRow, CaseTab } from './case-types.ts'
import { casePath } from '#shared/collection/case-path.ts'

interface CaseRowActions {
  tab: CaseTab
  canWhatsapp: boolean
  onOpen: (row: CaseRow) => void
  onContact: (row: CaseRow, wanted: CaseWish) => void
  onForm: (form: OpenForm) => void
}

/** The menu of a row in the work list and the pool, by the permissions of the viewer. */
export function useCaseRowActions({
  tab,
  canWhatsapp,
  onOpen,
  onContact,
  onForm,
}: CaseRowActions): (row: CaseRow) => RowAction[] {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayCall = usePermission(callBorrower.access)
  const mayFollow = usePermission(followCase.access)
  const mayLink = usePermission(sendLink.access)
  const mayProve = usePermission(addProof.access)
  const mayReduce = usePermission(launchReduction.access)
  const mayStop = usePermission(addStop.access)
  const mayEnd = usePermission(endCase.access)
  const mayAllocate = usePermission(allocateCases.access)
  const mayRecall = usePermission(recallCases.access)
  const ownOnly = user.scope.kind === 'own'
  const workActions = (row: CaseRow): RowAction[] => {
    const elsewhere =
      ownOnly && row.collectorId !== user.userId
        ? t('desk.lock.other', { name: row.collectorName ?? '' })
        : null
    return [
      ...(mayCall
        ? [
            {
              id: 'call',
              text: t('desk.call'),
              icon: 'phone',
              separated: true,
              disabledReason: offline ?? elsewhere,
              onClick: () => onContact(row, 'call'),
            } as const,
            {
              id: 'whatsapp',
              text: t('desk.whatsapp'),
              icon: 'chat',
              disabledReason: offline ?? elsewhere ?? (canWhatsapp ? null : t('desk.noWhatsapp')),
              onClick: () => onContact(row, 'whatsapp'),
            } as const,
          ]
        : []),
      ...(mayFollow
        ? [
            {
              id: 'follow',
              text: t('desk.follow'),
              icon: 'edit',
              disabledReason: elsewhere,
              onClick: () => onContact(row, 'follow'),
            } as const,
          ]
        : []),
      ...(mayLink
        ? [
            {
              id: 'link',
              text: t('desk.link'),
              icon: 'link',
              disabledReason: offline ?? elsewhere,
              onClick: () => onForm({ form: 'link', row }),
            } as const,
          ]
        : []),
      ...(mayProve
        ? [
            {
              id: 'proof',
              text: t('desk.proof'),
              icon: 'upload',
              disabledReason: offline,
              onClick: () => onForm({ form: 'proof', row }),
            } as const,
          ]
        : []),
      ...(mayReduce
        ? [
            {
              id: 'reduce',
              text: t('desk.reduce'),
              icon: 'arrow-down',
              disabledReason: offline,
              onClick: () => onForm({ form: 'reduce', row }),
            } as const,
          ]
        : []),
    ]
  }
  return (row) => [
    { id: 'open', text: t('desk.openCase'), icon: 'document', onClick: () => onOpen(row) },
    ...(tab === 'toFollow'
      ? [
          {
            id: 'page',
            text: t('desk.openPage'),
            icon: 'fullscreen',
            onClick: () => navigate(casePath(row.caseId, 'pedding_list')),
          } as const,
          ...workActions(row),
        ]
      : []),
    ...(mayAllocate && row.state !== 'allocating'
      ? [
          {
            id: 'allocate',
            text: t('desk.allocate'),
            icon: 'swap-horizontal',
            disabledReason: offline,
            onClick: () => onForm({ form: 'allocate', rows: [row] }),
          } as const,
        ]
      : []),
    ...(mayRecall && row.state === 'allocated'
      ? [
          {
            id: 'recall',
            text: t('desk.recall'),
            icon: 'undo',
            disabledReason: offline,
            onClick: () => onForm({ form: 'recall', rows: [row] }),
          } as const,
        ]
      : []),
    ...(mayStop
      ? [
          {
            id: 'stop',
            text: t('stop.short'),
            icon: 'stop',
            separated: true,
            disabledReason: offline,
            onClick: () => onForm({ form: 'stop', row }),
          } as const,
        ]
      : []),
    ...(mayEnd
      ? [
          {
            id: 'end',
            text: t('desk.end'),
            icon: 'ban-circle',
            intent: 'danger',
            disabledReason: offline,
            onClick: () => onForm({ form: 'end', row }),
          } as const,
        ]
      : []),
  ]
}
