import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { isTyping } from '#client/ui/frame/shortcut.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { callBorrower, endCase, followCase } from '#shared/collection/cases-api.ts'

interface CaseShortcuts {
  /** No form and no confirmation is open. */
  isIdle: () => boolean
  isDocked: boolean
  /** News of the case must be read first. */
  isUnread: boolean
  refused: { dial: string | null; whatsapp: string | null }
  onCall: () => void
  onWhatsapp: () => void
  onForm: () => void
  onPromise: () => void
  onEnd: () => void
  onRead: () => void
  onNext: (() => void) | undefined
  onClose: (() => void) | undefined
  onBack: (() => void) | undefined
}

/** The keys of an open case. */
export function useCaseShortcuts({
  isIdle,
  isDocked,
  isUnread,
  refused,
  onCall,
  onWhatsapp,
  onForm,
  onPromise,
  onEnd,
  onRead,
  onNext,
  onClose,
  onBack,
}: CaseShortcuts): void {
  const { reason: offline } = useConnection()
  const mayCall = usePermission(callBorrower.access)
  const mayFollow = usePermission(followCase.access)
  const mayEnd = usePermission(endCase.access)
  useShortcuts('screen', [
    ...(mayCall
      ? [
          {
            id: 'case-call',
            code: 'KeyC',
            labelKey: 'collection:desk.key.call',
            when: () => isIdle() && refused.dial === null,
            run: onCall,
          },
          {
            id: 'case-whatsapp',
            code: 'KeyW',
            labelKey: 'collection:desk.key.whatsapp',
            when: () => isIdle() && refused.whatsapp === null,
            run: onWhatsapp,
          },
        ]
      : []),
    ...(mayFollow
      ? [
          {
            id: 'case-form',
            code: 'KeyF',
            labelKey: 'collection:desk.key.form',
            when: isIdle,
            run: onForm,
          },
          {
            id: 'case-promise',
            code: 'KeyP',
            labelKey: 'collection:desk.key.promise',
            when: isIdle,
            run: onPromise,
          },
        ]
      : []),
    ...(mayEnd
      ? [
          {
            id: 'case-end',
            code: 'KeyE',
            labelKey: 'collection:desk.key.end',
            when: () => isIdle() && offline === null,
            run: onEnd,
          },
        ]
      : []),
    ...(!isDocked && onNext
      ? [
          {
            id: 'case-next',
            code: 'KeyN',
            labelKey: 'collection:desk.key.next',
            when: isIdle,
            run: onNext,
          },
        ]
      : []),
    // a key that types nothing: someone who kept typing into the locked form has not read the
    // reason
    ...(isUnread
      ? [
          {
            id: 'case-read',
            code: 'Escape',
            labelKey: 'collection:desk.key.read',
            when: isIdle,
            run: onRead,
          },
        ]
      : []),
    ...(isDocked && onClose && !isUnread
      ? [
          {
            id: 'case-close',
            code: 'Escape',
            labelKey: 'collection:desk.key.close',
            when: isIdle,
            run: onClose,
          },
        ]
      : []),
    ...(onBack && !isUnread
      ? [
          {
            id: 'case-back',
            code: 'Escape',
            labelKey: 'ui:detail.back',
            when: isIdle,
            run: ({ target }: KeyboardEvent) =>
              isTyping(target) ? (target as HTMLElement).blur() : onBack(),
          },
        ]
      : []),
  ])
}
